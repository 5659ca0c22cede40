import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

type Arguments = [password: BinaryLike, salt: BinaryLike, length: number, options: ScryptOptions, done: Done];
type Done = (error: Error | null, key: Buffer) => void;

const CHEAP: ScryptOptions = { N: 2, r: 1, p: 1 };
const { scrypt } = crypto;

/** Preloaded into each test process. Hashes passwords at the lowest cost, because each hash takes a quarter of a second of CPU time. */
Object.assign(crypto, {
  scrypt: (...[password, salt, length, , done]: Arguments) => scrypt(password, salt, length, CHEAP, done),
});
syncBuiltinESMExports();
