/**
 * The parts of `node:http` that the service uses. Importing the module would also load its WebSocket client, which takes about 10 MB and 30
 * ms.
 */
export const { createServer, METHODS, request, STATUS_CODES, ServerResponse } = process.getBuiltinModule("node:http");
