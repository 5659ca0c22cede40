import { SaxesParser } from "saxes";

/** An `Error` or `Warning` of an answer. */
export type AnswerFinding = { type: number; code: number | undefined; text: string };

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
  const elements = new Set<string>();
  const namespaces = new Set<string>();
  const errors: AnswerFinding[] = [];
  const warnings: AnswerFinding[] = [];
  if (!contentType.includes("xml")) return { status, text, problem: undefined, elements, namespaces, success: false, errors, warnings };
  const parser = new SaxesParser({ xmlns: true });
  let problem: string | undefined;
  parser.on("error", (error) => (problem ??= error.message));
  parser.on("opentag", ({ local, uri, attributes }) => {
    elements.add(local);
    namespaces.add(uri);
    const value = (name: string) => attributes[name]?.value;
    const finding = { type: Number(value("Type")), code: value("Code") === undefined ? undefined : Number(value("Code")), text: "" };
    if (local === "Error") errors.push(finding);
    if (local === "Warning") warnings.push(finding);
  });
  parser.write(text).close();
  return { status, text, problem, elements, namespaces, success: elements.has("Success"), errors, warnings };
}
