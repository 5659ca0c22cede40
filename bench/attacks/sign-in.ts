import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../support/child.ts";

/**
 * Guesses the administrator's password. Counts how many guesses are checked and how often the administrator can sign in.
 * Usage: node bench/attacks/sign-in.ts [CHECKOUT]
 */
const PASSWORD = "a password for the attacks";
const ADMIN_ADDRESS = "203.0.113.7";
const TRIES = 260;
const PAUSE_MS = 50;
const NETWORKS = 10_001;
/** Each network may fail five times before it is locked out, so lockouts start in the sixth round. */
const ROUNDS = 7;
const CONNECTIONS = 32;

type Client = { address: string; password: string; cookie?: string };
type Answer = { status: number; cookie: string | undefined };

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

async function onService(name: string, attack: (url: string) => Promise<string[]>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-attack-"));
  const env = { DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error", ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: "127.0.0.1" };
  try {
    await using server = await startServer([join(resolve(process.argv[2] ?? "."), "src/start.mjs"), "serve"], env);
    console.log(`${name}: ${(await attack(server.url)).join("; ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function guessFromOneAddress(url: string): Promise<string[]> {
  const { cookie } = await ask(url, { address: ADMIN_ADDRESS, password: PASSWORD });
  const guesses = new Guesses();
  const attack = guesses.run(url, () => ADMIN_ADDRESS, Number.POSITIVE_INFINITY);
  while (guesses.refused === 0) await sleep(PAUSE_MS);
  const [browser, program] = [new Tally(), new Tally()];
  for (let time = 0; time < TRIES; time++) {
    browser.add(await ask(url, { address: ADMIN_ADDRESS, password: PASSWORD, ...(cookie !== undefined && { cookie }) }));
    program.add(await ask(url, { address: ADMIN_ADDRESS, password: PASSWORD }));
    await sleep(PAUSE_MS);
  }
  guesses.stop();
  await attack;
  return [guesses.describe(), `administrator's browser admitted ${browser.in} of ${TRIES} times`, `program without cookies ${program.in}`];
}

async function guessFromManyNetworks(url: string): Promise<string[]> {
  const { cookie } = await ask(url, { address: ADMIN_ADDRESS, password: PASSWORD });
  const guesses = new Guesses();
  const attack = guesses.run(url, (index) => networkAddress(index % NETWORKS), ROUNDS * NETWORKS);
  const [browser, program, newcomer] = [new Tally(), new Tally(), new Tally()];
  let done = false;
  void attack.then(() => (done = true));
  while (!done) {
    browser.add(await ask(url, { address: "198.51.100.9", password: PASSWORD, ...(cookie !== undefined && { cookie }) }));
    program.add(await ask(url, { address: ADMIN_ADDRESS, password: PASSWORD }));
    newcomer.add(await ask(url, { address: `2001:db9:0:${newcomer.all.toString(16)}::1`, password: PASSWORD }));
    await sleep(PAUSE_MS);
  }
  await attack;
  return [
    guesses.describe(),
    `administrator's browser at a new address admitted ${browser.describe()} times`,
    `program at the administrator's address ${program.describe()}`,
    `new browsers at new addresses with the right password ${newcomer.describe()}`,
  ];
}

class Tally {
  in = 0;
  all = 0;

  add({ status }: Answer): void {
    this.all++;
    if (status === 200) this.in++;
  }

  describe(): string {
    return `${this.in} of ${this.all}`;
  }
}

class Guesses {
  checked = 0;
  refused = 0;
  #started = performance.now();
  #sent = 0;
  #stopped = false;

  async run(url: string, addressOf: (index: number) => string, limit: number): Promise<void> {
    this.#started = performance.now();
    const guess = async () => {
      while (!this.#stopped && this.#sent < limit) {
        const index = this.#sent++;
        const { status } = await ask(url, { address: addressOf(index), password: `guess ${index}` });
        if (status === 401) this.checked++;
        else if (status === 429) this.refused++;
        else throw new Error(`a guess got status ${status}`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS / 2 }, guess));
  }

  stop(): void {
    this.#stopped = true;
  }

  describe(): string {
    const seconds = (performance.now() - this.#started) / 1000;
    return `${this.checked} of ${this.#sent} guesses checked in ${seconds.toFixed(0)} s`;
  }
}

function networkAddress(index: number): string {
  return `2001:db8:${Math.trunc(index / 65_536).toString(16)}:${(index % 65_536).toString(16)}::1`;
}

function ask(url: string, { address, password, cookie }: Client): Promise<Answer> {
  const headers = {
    authorization: `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`,
    "x-forwarded-for": address,
    ...(cookie !== undefined && { cookie }),
  };
  return new Promise((answered, failed) => {
    const sent = request(`${url}/property`, { agent, headers }, (answer) => {
      const [set] = answer.headers["set-cookie"] ?? [];
      answer.on("error", failed).on("end", () => answered({ status: answer.statusCode!, cookie: set?.split(";")[0] }));
      answer.resume();
    });
    sent.on("error", failed).end();
  });
}

await onService("one address", guessFromOneAddress);
await onService(`${NETWORKS} networks in turn`, guessFromManyNetworks);
agent.destroy();
