import { hostUrls } from "../../database-url.ts";

/** The hosts in a database URL. All pools use the current host until it fails. */
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

  /** Switches to the next host, unless another connection has already switched away from `url`. */
  leave(url: string): void {
    if (url === this.current) this.#index = (this.#index + 1) % this.count;
  }
}
