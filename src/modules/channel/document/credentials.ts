import type { Attributes } from "../../../xml/handler.ts";
import type { Credentials } from "../senders/credentials.ts";

type CredentialPart = "name" | "secret" | "nonce" | "created";
type UsernameToken = Record<CredentialPart, string | undefined>;

const PARTS_BY_ELEMENT: Readonly<Record<string, CredentialPart>> = {
  Username: "name",
  Password: "secret",
  Nonce: "nonce",
  Created: "created",
};
const EMPTY_TOKEN: UsernameToken = { name: undefined, secret: undefined, nonce: undefined, created: undefined };

/** Reads the credentials in a document: WS-Security in a SOAP header, otherwise `RequestorID` with `MessagePassword`. */
export class DocumentCredentials {
  #token = { ...EMPTY_TOKEN };
  #scheme: "wsse" | "wsse digest" = "wsse";
  #requestor: Credentials | undefined;
  #inToken = false;
  #part: CredentialPart | undefined;

  /** Reads an element in the header. Some senders omit `UsernameToken`. If there are several tokens, uses the first. */
  openInHeader(name: string, attributes: Attributes): void {
    if (name === "UsernameToken" && !this.#inToken) this.#openToken();
    const part = PARTS_BY_ELEMENT[name];
    this.#part = part && this.#token[part] === undefined ? part : undefined;
    if (this.#part === "secret" && attributes.get("Type")?.trim().endsWith("#PasswordDigest")) this.#scheme = "wsse digest";
  }

  #openToken(): void {
    this.#inToken = true;
    this.#token = { ...EMPTY_TOKEN };
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

  /** Reads Expedia's authentication element. */
  openAuthentication(attributes: Attributes): void {
    const secret = attributes.get("password");
    if (secret !== undefined) this.#requestor ??= { scheme: "requestor", name: attributes.get("username") ?? "", secret };
  }

  result(): Credentials | undefined {
    const { name, secret, nonce, created } = this.#token;
    if (name === undefined || secret === undefined) return this.#requestor;
    const token = { scheme: this.#scheme, name: name.trim(), secret: secret.trim() };
    return token.scheme === "wsse" ? token : { ...token, digest: { nonce: nonce?.trim(), created: created?.trim() } };
  }
}
