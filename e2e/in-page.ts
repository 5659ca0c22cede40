/** Scripts for the page under test. They are strings, because DOM types would otherwise apply to the whole project. */

/** Returns a script that submits the page's form with `fields` and without browser validation. `to` replaces the form's action. */
export function sendForm(fields: Readonly<Record<string, string>>, to = ""): string {
  return `
    const form = document.querySelector('main form[method="post"]');
    if (${JSON.stringify(to)} !== "") form.action = ${JSON.stringify(to)};
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      for (const old of form.querySelectorAll('[name="' + name + '"]')) old.removeAttribute("name");
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    }
    form.noValidate = true;
    HTMLFormElement.prototype.requestSubmit.call(form);`;
}

export const FURTHEST_RIGHT = `
  const scrolls = (element) =>
    element !== null && (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const shown = [...document.querySelectorAll("body *")].filter((element) => !scrolls(element.parentElement));
  const [furthest] = shown.toSorted((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right);
  furthest?.outerHTML.slice(0, 150) ?? "";`;

export const PLANT_VIOLATION = `
  const style = document.createElement("style");
  style.textContent = "body { color: red }";
  document.head.append(style);`;

export const ENLARGE_TEXT = `document.documentElement.style.fontSize = "200%";`;

/** Script that returns texts with only a few characters per line. Ignores the calendar, whose days are always narrow. */
export const SQUEEZED_TEXTS = `
  const linesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && !element.closest("svg, select, .visually-hidden, .calendar"))
    .flatMap((element) => [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .map((node) => ({ text: node.textContent.trim(), lines: linesOf(node) }))
    .filter(({ text, lines }) => lines > 3 && text.length / lines < 4)
    .map(({ text, lines }) => text.slice(0, 60) + " in " + lines + " lines");`;

/** Script that returns click targets under 24 pixels wide or high (WCAG 2.5.8), except links within a sentence. */
export const SMALL_TARGETS = `
  const lettersOf = (element) => element.textContent.replace(/\\s+/g, "").length;
  const blockOf = (element) => (getComputedStyle(element).display === "inline" ? blockOf(element.parentElement) : element);
  const isInSentence = (element) => {
    const links = [...blockOf(element).querySelectorAll("a")].reduce((sum, link) => sum + lettersOf(link), 0);
    return blockOf(element) !== element && lettersOf(blockOf(element)) > links;
  };
  [...document.querySelectorAll("a, button, select, summary, textarea, input:not([type=hidden])")]
    .filter((element) => element.checkVisibility() && !isInSentence(element))
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return Math.min(width, height) < 24;
    })
    .map((element) => element.outerHTML.slice(0, 150));`;

/** Script that returns tables that need horizontal scrolling, except grids. */
export const CLIPPED_TABLES = `
  [...document.querySelectorAll(".scroll:has(> .table)")]
    .filter((part) => part.scrollWidth > part.clientWidth)
    .map((part) => part.scrollWidth + " of " + part.clientWidth + ": " + part.innerText.slice(0, 150));`;
