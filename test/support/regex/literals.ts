const TOKEN = /\/\/.*|\/\*[^]*?\*\/|\s+|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$]+|[^]/y;
const TEMPLATE = /(?:[^`\\$]|\\[^]|\$(?!\{))*(?:`|\$\{)/y;
const LITERAL = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** A slash after one of these tokens is a division. Otherwise it starts a regular expression. */
const VALUE = /^(?:[\w$]+|[)\]"'`].*)$/s;
const BEFORE_VALUE: ReadonlySet<string> = new Set(["return", "typeof", "case", "in", "of", "delete", "void", "throw", "yield", "await"]);

export function regexLiterals(code: string): string[] {
  const found: string[] = [];
  const holes: number[] = [];
  let last = "";
  for (let at = 0; at < code.length;) {
    let token = read(TOKEN, code, at);
    const isAfterValue = VALUE.test(last) && !BEFORE_VALUE.has(last);
    if (token === "/" && !isAfterValue) {
      token = read(LITERAL, code, at);
      found.push(token);
      last = ")";
    } else if (token === "`" || (token === "}" && holes.at(-1) === 0)) {
      if (token === "}") holes.pop();
      token += read(TEMPLATE, code, at + 1);
      if (token.endsWith("${")) holes.push(0);
      last = token.endsWith("${") ? "{" : "`";
    } else if (!/^(?:\s|\/[/*])/.test(token)) {
      const open = holes.at(-1);
      if (open !== undefined && (token === "{" || token === "}")) holes[holes.length - 1] = token === "{" ? open + 1 : open - 1;
      // A `!` after a value is a non-null assertion.
      if (token !== "!" || !isAfterValue) last = token;
    }
    at += token.length;
  }
  return found;
}

function read(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at;
  const [token] = pattern.exec(code) ?? [];
  if (token === undefined) throw new Error(`Cannot read the code at ${code.slice(at, at + 60)}`);
  return token;
}
