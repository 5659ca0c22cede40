import { SaxesParser } from "saxes";

/** Parses a document repeatedly with saxes, with namespaces enabled. Replies with documents per second. */
process.on("message", ({ text, seconds }: { text: string; seconds: number }) => {
  const start = performance.now();
  let documents = 0;
  while (performance.now() - start < seconds * 1000) {
    parse(text);
    documents++;
  }
  process.send!((documents * 1000) / (performance.now() - start));
});

function parse(text: string): number {
  let elements = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", () => {
    elements++;
  });
  parser.on("closetag", () => {});
  parser.on("text", () => {});
  parser.write(text).close();
  return elements;
}
