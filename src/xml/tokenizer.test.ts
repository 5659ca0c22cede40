import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { XmlDocument } from "libxml2-wasm";
import { type SaxesAttributeNS, SaxesParser } from "saxes";
import { MAX_ATTRIBUTES, MAX_BINDINGS, MAX_DEPTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from "./handler.ts";
import { XmlSource } from "./source.ts";
import { tokenizeXml } from "./tokenizer.ts";

/** Returns an element that binds `count` prefixes. */
function bindings(count: number, content: string): string {
  return `<a ${Array.from({ length: count }, (_, i) => `xmlns:p${i}="u"`).join(" ")}>${content}</a>`;
}

type Seen = { fault: string | undefined; events: string[] };

/** Records a document's events and joins runs of text. */
class Recorder {
  readonly events: string[] = [];
  #text = "";

  add(event: string): void {
    if (this.#text !== "") this.events.push(`text ${this.#text}`);
    this.#text = "";
    this.events.push(event);
  }

  addText(text: string): void {
    this.#text += text;
  }
}

/** Reads a text. If it is ASCII, also checks that its bytes give the same result. */
function read(text: string): Seen {
  const seen = readSource(XmlSource.ofText(text));
  const ascii = XmlSource.ofAscii(Buffer.from(text));
  if (ascii) assert.deepEqual(readSource(ascii), seen);
  return seen;
}

function readSource(source: XmlSource): Seen {
  const recorder = new Recorder();
  const fault = tokenizeXml(source, {
    open: (name, namespace, attributes) => {
      const shown = Array.from({ length: attributes.length }, (_, i) => `${attributes.nameAt(i)}=${attributes.valueAt(i)}`);
      recorder.add(`open {${namespace.trim()}}${name} ${shown.join(" ")}`);
    },
    close: (name) => recorder.add(`close ${name}`),
    text: (run) => recorder.addText(run),
  });
  return { fault: fault?.reason, events: recorder.events };
}

/** An attribute keeps its prefix if its namespace differs from the element's. */
function nameIn(namespace: string, { prefix, local, uri, name }: SaxesAttributeNS): string {
  return prefix === "" || uri === namespace ? local : name;
}

function readWithSaxes(text: string): Seen {
  const recorder = new Recorder();
  const parser = new SaxesParser({ xmlns: true });
  let fault: string | undefined;
  let depth = 0;
  parser.on("error", (error) => (fault ??= error.message));
  parser.on("doctype", () => (fault ??= "a document type declaration"));
  parser.on("opentag", (tag) => {
    depth++;
    const shown = Object.values(tag.attributes).filter((one) => one.uri !== "http://www.w3.org/2000/xmlns/");
    recorder.add(`open {${tag.uri}}${tag.local} ${shown.map((attribute) => `${nameIn(tag.uri, attribute)}=${attribute.value}`).join(" ")}`);
  });
  parser.on("closetag", (tag) => {
    depth--;
    recorder.add(`close ${tag.local}`);
  });
  parser.on("text", (run) => depth > 0 && recorder.addText(run));
  parser.on("cdata", (run) => recorder.addText(run));
  parser.write(text).close();
  return { fault, events: recorder.events };
}

/** Returns libxml2's error. Ignores errors about namespaces that are not URIs, because such documents are well-formed. */
function refusedByLibxml(text: string): string | undefined {
  try {
    XmlDocument.fromString(text).dispose();
    return undefined;
  } catch (error) {
    return /valid URI|is relative|[Ee]ncoding/.test(String(error)) ? undefined : String(error);
  }
}

const DOCUMENT = `<?xml version="1.0" encoding="UTF-8"?>
<!-- counts --><s:Envelope xmlns:s="urn:s" xmlns:x="urn:x"><s:Body>
 <OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" EchoToken='a&amp;b "c"' Version = "1.0">
  <?note keep?><Inventories HotelCode="H&#xF4;tel" x:Mon="1" Mon="2"><Inventory/><T>1 &lt; 2\r\n<![CDATA[<raw> & ]]]]></T></Inventories>
 </OTA_HotelInvCountNotifRQ></s:Body></s:Envelope>
`;

const FRAGMENTS = [
  "<",
  ">",
  "&",
  "&amp;",
  "&#0;",
  "&#x41;",
  "&lt",
  "]]>",
  "<![CDATA[x]]>",
  "<!--a-->",
  "<!-- -- -->",
  "<?pi x?>",
  "<?xml version='1.0'?>",
]
  .concat([
    '"',
    "'",
    "=",
    " ",
    "\r\n",
    "\r",
    "\t",
    "\u0001",
    "é",
    "\ud800",
    "\ufffe",
    "xmlns:a='u'",
    " a:b='1'",
    "<a:x/>",
    "/",
    "<b/>",
    "</",
    "x y=",
  ])
  .concat([
    " xmlns=''",
    " xml:lang='e'",
    " Mon='1' Mon='2'",
    ":",
    "-",
    "\u{1F600}",
    "&constructor;",
    " xmlns:p='' ",
    "<?p?>",
    "&#xD;",
    "<1/>",
    "<a.b-c/>",
    "\u0085",
    "\u00b7",
  ]);

const mutation = fc.oneof(
  fc.record({ at: fc.nat(DOCUMENT.length), cut: fc.constant(0), put: fc.constantFrom(...FRAGMENTS) }),
  fc.record({ at: fc.nat(DOCUMENT.length), cut: fc.integer({ min: 1, max: 40 }), put: fc.constant("") }),
);

describe("tokenize", () => {
  test("reports the same events as saxes", () => {
    const { fault, events } = read(DOCUMENT);
    assert.equal(fault, undefined);
    assert.ok(
      events.some((event) => event.startsWith("open {http://www.opentravel.org/OTA/2003/05}OTA_HotelInvCountNotifRQ EchoToken=a&b")),
    );
    assert.deepEqual(events, readWithSaxes(DOCUMENT).events);
  });

  test("accepts only documents that saxes and libxml2 accept and reports the same events as saxes", () => {
    let accepted = 0;
    const property = fc.property(fc.array(mutation, { minLength: 1, maxLength: 2 }), (mutations) => {
      const text = mutations.reduce((current, { at, cut, put }) => current.slice(0, at) + put + current.slice(at + cut), DOCUMENT);
      const result = read(text);
      if (result.fault !== undefined) return;
      accepted++;
      assert.equal(refusedByLibxml(text), undefined);
      assert.deepEqual(result, readWithSaxes(text));
    });
    fc.assert(property, { numRuns: 3_000 });
    assert.ok(accepted > 100, `only ${accepted} of the mutated documents were well-formed`);
  });

  const REFUSED: readonly (readonly [name: string, text: string, offset: number, reason: RegExp])[] = [
    ["a DTD", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, 0, /document type/],
    ["a mismatched end tag", "<a><b></a>", 6, /expected <\/b>/],
    ["an unclosed element", "<a><b/>", 7, /unclosed element a/],
    ["a second root element", "<a/><b/>", 4, /second root element/],
    ["text after the root element", "<a/> x", 5, /outside/],
    ["a duplicate attribute", "<a b='1' b='2'/>", 16, /duplicate attribute/],
    ["a duplicate attribute with two prefixes", "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", 0, /duplicate attribute/],
    ["an unknown reference", "<a>&nbsp;</a>", 3, /unknown reference &nbsp;/],
    ["a reference without a semicolon", "<a>b &c</a>", 5, /& without ;/],
    ["a reference to a control character", "<a>&#1;</a>", 3, /unknown reference/],
    ["an unbound prefix", "<p:a/>", 0, /prefix p/],
    ["an element with the prefix xmlns", "<xmlns:a/>", 0, /prefix xmlns/],
    ["the prefix xmlns for another namespace", "<a xmlns:xmlns='u'/>", 0, /xmlns and its namespace cannot be bound/],
    ["another prefix for the namespace of xmlns", "<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", 0, /cannot be bound/],
    ["the prefix xml for another namespace", "<a xmlns:xml='u'/>", 0, /xml can only be bound to its own namespace/],
    [
      "another prefix for the namespace of xml",
      "<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
      0,
      /only be bound to its own namespace/,
    ],
    ["a prefix bound to an empty namespace", "<a xmlns:p='u'><b xmlns:p=''/></a>", 15, /prefix p cannot be unbound/],
    ["a control character", "<a>\u0001</a>", 3, /not allow/],
    ["an unpaired surrogate", "<a>\ud83d</a>", 3, /not allow/],
    ["an empty document", "  ", 2, /no root element/],
    ["an unclosed attribute value", `<a b="c>`, 5, /unclosed attribute value/],
    ["elements nested too deeply", "<a>".repeat(MAX_DEPTH + 1), MAX_DEPTH * 3, /deeper/],
    [
      "a name that is too long",
      `<a><b ${"c".repeat(MAX_NAME_LENGTH)}="" d${"e".repeat(MAX_NAME_LENGTH)}`,
      MAX_NAME_LENGTH + 10,
      /a name of more than/,
    ],
    ["a non-ASCII name that is too long", `<a><é${"ß".repeat(MAX_NAME_LENGTH)}/></a>`, 4, /a name of more than/],
    ["a namespace that is too long", `<a><b xmlns="${"u".repeat(MAX_NAME_LENGTH + 1)}"/></a>`, 3, /a namespace of more than/],
    ["an attribute value that is too long", `<a b="${"x".repeat(MAX_TEXT_LENGTH + 1)}"/>`, 5, /characters of text/],
    ["too many attributes", `<a ${Array.from({ length: MAX_ATTRIBUTES + 1 }, (_, i) => `a${i}="" `).join("")}/>`, 692, /attributes/],
  ];
  for (const [name, text, offset, reason] of REFUSED) {
    test(`refuses ${name} and reports its offset`, () => {
      const fault = tokenizeXml(XmlSource.ofText(text), { open() {}, close() {}, text() {} });
      assert.match(fault?.reason ?? "", reason);
      assert.equal(fault?.offset, offset);
    });
  }

  test("accepts the prefix xml whether or not it is declared", () => {
    assert.equal(read(`<a xml:lang="de"/>`).fault, undefined);
    assert.equal(read(`<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:lang="de"><xml:b/></a>`).fault, undefined);
  });

  test("refuses text longer than the limit", () => {
    assert.match(read(`<a>${"x".repeat(MAX_TEXT_LENGTH + 1)}</a>`).fault ?? "", /characters of text/);
    assert.match(read(`<a>${"&#65;".repeat(MAX_TEXT_LENGTH / 5 + 1)}</a>`).fault ?? "", /characters of text/);
  });

  test("accepts names, namespaces and prefixes up to the limits", () => {
    const name = "é".repeat(MAX_NAME_LENGTH);
    assert.equal(read(`<${name} ${"b".repeat(MAX_NAME_LENGTH)}="" xmlns="${"u".repeat(MAX_NAME_LENGTH)}"/>`).fault, undefined);
    assert.equal(read(`<a>${bindings(MAX_BINDINGS / 2, bindings(MAX_BINDINGS / 2, "<b/>").repeat(2))}</a>`).fault, undefined);
    assert.match(read(bindings(MAX_BINDINGS / 2, bindings(MAX_BINDINGS / 2 + 1, ""))).fault ?? "", /prefixes in scope/);
  });

  test("never searches beyond the end of the current text", (context) => {
    const text = `<a>${"<b c='d\te'/>\r\n".repeat(2_000)}</a>`;
    let scanned = 0;
    for (const searched of [String.prototype, Buffer.prototype]) {
      const { indexOf } = searched;
      context.mock.method(searched, "indexOf", function search(this: string & Buffer, word: string, from = 0) {
        const found = indexOf.call(this, word, from);
        scanned += (found === -1 ? this.length : found) - from;
        return found;
      });
    }
    for (const source of [XmlSource.ofText(text), XmlSource.ofAscii(Buffer.from(text))!]) {
      scanned = 0;
      assert.equal(tokenizeXml(source, { open() {}, close() {}, text() {} }), undefined);
      assert.ok(scanned < 10 * text.length, `searched ${scanned} characters of a document of ${text.length}`);
    }
  });
});
