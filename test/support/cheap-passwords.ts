import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** Preloaded into each test process. Hashes passwords at the lowest cost, because each hash takes a quarter of a second of CPU time. */
type Done = (error: Error | null, key: Buffer) => void;

const CHEAP: ScryptOptions = { N: 2, r: 1, p: 1 };
const { scrypt } = crypto;

Object.assign(crypto, {
  scrypt: (password: BinaryLike, salt: BinaryLike, length: number, _options: ScryptOptions, done: Done) =>
    scrypt(password, salt, length, CHEAP, done),
});
syncBuiltinESMExports();
