import { hostUrls } from "../../database-url.ts";

/** The hosts of a database URL. All pools connect to the current one until it fails. */
export class Hosts {
  readonly #urls: readonly string[];
  #index = 0;

  constructor(url: string) {
    this.#urls = hostUrls(url) ?? [url];
  }

  get count(): number {
    return this.#urls.length;
  }

  get current(): string {
    return this.#urls[this.#index]!;
  }

  /** Switches to the next host, unless another connection has already left `url`. */
  leave(url: string): void {
    if (url === this.current) this.#index = (this.#index + 1) % this.count;
  }
}
