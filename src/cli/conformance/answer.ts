import { XmlDocument, XmlElement, XmlParseError } from "libxml2-wasm";

/** An `Error` or `Warning` of an answer. */
export type AnswerFinding = { type: number; code: number | undefined };

/** What an answer says. */
export type ReadAnswer = {
  status: number;
  text: string;
  /** Why an XML answer cannot be read. */
  problem: string | undefined;
  /** Local names from the outermost element to the message. */
  elements: ReadonlySet<string>;
  namespaces: ReadonlySet<string>;
  success: boolean;
  errors: readonly AnswerFinding[];
  warnings: readonly AnswerFinding[];
};

/** Reads an answer as a strict client would. */
export function readAnswer(status: number, contentType: string, text: string): ReadAnswer {
  const { problem, elements } = contentType.includes("xml") ? readElements(text) : { problem: undefined, elements: [] };
  const names = new Set(elements.map(({ name }) => name));
  return {
    status,
    text,
    problem,
    elements: names,
    namespaces: new Set(elements.map(({ namespace }) => namespace)),
    success: names.has("Success"),
    errors: elements.filter(({ name }) => name === "Error").map(toFinding),
    warnings: elements.filter(({ name }) => name === "Warning").map(toFinding),
  };
}

/** An element by its local name; `type` and `code` are its attributes. */
type Element = { name: string; namespace: string; type: string | undefined; code: string | undefined };

function readElements(text: string): { problem: string | undefined; elements: readonly Element[] } {
  try {
    using document = XmlDocument.fromString(text);
    const elements = document.find("//*").filter((node) => node instanceof XmlElement);
    return { problem: undefined, elements: elements.map(toElement) };
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error;
    return { problem: error.message.trim(), elements: [] };
  }
}

function toElement(element: XmlElement): Element {
  const value = (name: string) => element.attr(name)?.value;
  return { name: element.name, namespace: element.namespaceUri, type: value("Type"), code: value("Code") };
}

function toFinding({ type, code }: Element): AnswerFinding {
  return { type: Number(type), code: code === undefined ? undefined : Number(code) };
}
