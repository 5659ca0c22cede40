/**
 * What is used of `node:http`. An import of it would load a client of WebSockets too, which it has as one of its names: that takes
 * about 10 MB and 30 ms.
 */
export const { METHODS, ServerResponse } = process.getBuiltinModule("node:http");
