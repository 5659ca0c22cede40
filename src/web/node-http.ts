/**
 * The parts of `node:http` that we use. Importing it would also load its WebSocket client, one of its names, which takes
 * about 10 MB and 30 ms.
 */
export const { METHODS, STATUS_CODES, ServerResponse } = process.getBuiltinModule("node:http");
