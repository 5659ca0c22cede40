import { type Html, html } from "../html.ts";

const RIGHT_TO_LEFT_PATTERN = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates right-to-left words, such as codes, so that they do not reorder the text around them. */
export function isolateDirections(sentence: string): Html {
  if (!RIGHT_TO_LEFT_PATTERN.test(sentence)) return html`${sentence}`;
  return html`${directionRuns(sentence).map((run) => (RIGHT_TO_LEFT_PATTERN.test(run) ? isolateRun(run) : html`${run}`))}`;
}

function isolateRun(run: string): Html {
  const words = run.replace(/(?<![\s,.:;])[\s,.:;]+$/, "");
  return html`<bdi>${words}</bdi>${run.slice(words.length)}`;
}

function directionRuns(sentence: string): string[] {
  const runs: string[] = [];
  for (const word of sentence.split(/(?<=\s)(?=\S)/)) {
    const last = runs.at(-1);
    if (last !== undefined && RIGHT_TO_LEFT_PATTERN.test(last) === RIGHT_TO_LEFT_PATTERN.test(word)) runs[runs.length - 1] = last + word;
    else runs.push(word);
  }
  return runs;
}
