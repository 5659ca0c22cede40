import type { Attributes } from "../../../xml/handler.ts";
import type { Credentials } from "../senders/access.ts";

const TOKEN: Readonly<Record<string, "name" | "secret">> = { Username: "name", Password: "secret" };

/** Reads the credentials in a document: WS-Security in a SOAP header, or else `RequestorID` with `MessagePassword`. */
export class DocumentCredentials {
  #token: { name: string | undefined; secret: string | undefined } = { name: undefined, secret: undefined };
  #scheme: "wsse" | "wsse digest" = "wsse";
  #requestor: Credentials | undefined;
  #inToken = false;
  #part: "name" | "secret" | undefined;

  /** Some senders leave out `UsernameToken`. If there are several, the first wins. */
  openInHeader(name: string, attributes: Attributes): void {
    if (name === "UsernameToken" && !this.#inToken) this.#openToken();
    const part = TOKEN[name];
    this.#part = part && this.#token[part] === undefined ? part : undefined;
    if (this.#part === "secret" && attributes.get("Type")?.trim().endsWith("#PasswordDigest")) this.#scheme = "wsse digest";
  }

  #openToken(): void {
    this.#inToken = true;
    this.#token = { name: undefined, secret: undefined };
    this.#scheme = "wsse";
  }

  closeInHeader(): void {
    this.#part = undefined;
  }

  text(text: string): void {
    if (this.#part) this.#token[this.#part] = (this.#token[this.#part] ?? "") + text;
  }

  openRequestor(attributes: Attributes): void {
    const secret = attributes.get("MessagePassword");
    if (secret !== undefined) this.#requestor ??= { scheme: "requestor", name: attributes.get("ID") ?? "", secret };
  }

  /** Expedia's element. */
  openAuthentication(attributes: Attributes): void {
    const secret = attributes.get("password");
    if (secret !== undefined) this.#requestor ??= { scheme: "requestor", name: attributes.get("username") ?? "", secret };
  }

  found(): Credentials | undefined {
    const { name, secret } = this.#token;
    return name !== undefined && secret !== undefined
      ? { scheme: this.#scheme, name: name.trim(), secret: secret.trim() }
      : this.#requestor;
  }
}
