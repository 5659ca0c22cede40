import { connect, type Socket } from "node:net";

export type RawAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string };

type Headers = Readonly<Record<string, string>>;

/** A connection for raw HTTP requests. It is closed at the end of its scope (`using`). */
export class RawConnection implements Disposable {
  readonly #host: string;
  readonly #socket: Socket;
  #received = "";

  constructor(origin: string) {
    const { host, hostname, port } = new URL(origin);
    this.#host = host;
    this.#socket = connect(Number(port), hostname);
    this.#socket.setEncoding("utf8").on("data", (text: string) => (this.#received += text));
    this.#socket.on("error", () => {});
  }

  post(headers: Headers, length: number): void {
    const all = { host: this.#host, "content-length": String(length), ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`POST /channel HTTP/1.1\r\n${lines.join("")}\r\n`);
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take();
      if (answer) return answer;
      await Promise.race([this.#moreData(), this.closed().then(() => this.#failIfIncomplete())]);
    }
  }

  async closed(): Promise<void> {
    if (!this.#socket.closed) await new Promise((resolve) => this.#socket.once("close", resolve));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #take(): RawAnswer | undefined {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [first = "", ...lines] = this.#received.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(lines.map((line) => [line.split(":", 1)[0]!.toLowerCase(), line.slice(line.indexOf(":") + 2)]));
    const body = Buffer.from(this.#received.slice(end + 4));
    const length = Number(headers["content-length"]);
    if (body.length < length) return undefined;
    this.#received = body.subarray(length).toString();
    return { status: Number(first.split(" ")[1]), headers, body: body.subarray(0, length).toString() };
  }

  #moreData(): Promise<unknown> {
    return new Promise((resolve) => this.#socket.once("data", resolve));
  }

  #failIfIncomplete(): void {
    if (!this.#received.includes("\r\n\r\n")) throw new Error("The connection closed without a response");
  }
}
