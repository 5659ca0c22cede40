import { MAX_BINDINGS, MAX_NAME_LENGTH } from "./handler.ts";

// Namespaces in XML 1.0: https://www.w3.org/TR/xml-names/
const XML = "http://www.w3.org/XML/1998/namespace";
const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";

type PrefixBinding = { prefix: string; uri: string; depth: number };

export class NamespaceScope {
  readonly #bindings: PrefixBinding[] = [];

  /** Binds a prefix in the element at `depth`. The empty prefix stands for the default namespace. Returns the fault, if any. */
  bind(prefix: string, uri: string, depth: number): string | undefined {
    const fault = this.#bindings.length < MAX_BINDINGS ? bindingFault(prefix, uri) : `more than ${MAX_BINDINGS} prefixes in scope`;
    if (fault === undefined && prefix !== "xml") this.#bindings.push({ prefix, uri: uri.trim(), depth });
    return fault;
  }

  leave(depth: number): void {
    while (this.#bindings.length > 0 && this.#bindings.at(-1)!.depth >= depth) this.#bindings.pop();
  }

  find(prefix: string): string | undefined {
    for (let i = this.#bindings.length - 1; i >= 0; i--) if (this.#bindings[i]!.prefix === prefix) return this.#bindings[i]!.uri;
    if (prefix === "xml") return XML;
    return prefix === "" ? "" : undefined;
  }
}

function bindingFault(prefix: string, uri: string): string | undefined {
  if (uri.length > MAX_NAME_LENGTH) return `a namespace of more than ${MAX_NAME_LENGTH} characters`;
  if (prefix === "xmlns" || uri === XMLNS_NAMESPACE) return "the prefix xmlns and its namespace cannot be bound";
  if ((prefix === "xml") !== (uri === XML)) return "the prefix xml can only be bound to its own namespace";
  return prefix !== "" && uri === "" ? `the prefix ${prefix} cannot be unbound` : undefined;
}
