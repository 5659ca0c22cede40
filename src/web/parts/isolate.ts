import { type Html, html } from "../html.ts";

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A sentence with foreign words, such as codes. Words of a right-to-left script must not turn around the text beside them. */
export function isolate(sentence: string): Html {
  if (!RIGHT_TO_LEFT.test(sentence)) return html`${sentence}`;
  return html`${scriptRuns(sentence).map((run) => (RIGHT_TO_LEFT.test(run) ? isolated(run) : html`${run}`))}`;
}

/** Blanks and points at the end stay out. */
function isolated(run: string): Html {
  const words = run.replace(/(?<![\s,.:;])[\s,.:;]+$/, "");
  return html`<bdi>${words}</bdi>${run.slice(words.length)}`;
}

/** Consecutive words with such letters are one run, as their order runs from right to left too. */
function scriptRuns(sentence: string): string[] {
  const runs: string[] = [];
  for (const word of sentence.split(/(?<=\s)(?=\S)/)) {
    const last = runs.at(-1);
    if (last !== undefined && RIGHT_TO_LEFT.test(last) === RIGHT_TO_LEFT.test(word)) runs[runs.length - 1] = last + word;
    else runs.push(word);
  }
  return runs;
}
