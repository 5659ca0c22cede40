/** Programs that run inside a page, as text: types of the browser's own would leak into the rest of the project. */

/** Types into the page's form, or adds what it has no field for, and sends it without the checks of the browser, elsewhere where `to` says so. */
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

/** The element that reaches furthest to the right, outside of what scrolls. */
export const FURTHEST_RIGHT = `
  const scrolls = (element) =>
    element !== null && (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const shown = [...document.querySelectorAll("body *")].filter((element) => !scrolls(element.parentElement));
  const [far] = shown.toSorted((a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right);
  far?.outerHTML.slice(0, 150) ?? "";`;

/** Breaks the content security policy once. */
export const PLANT_VIOLATION = `
  const style = document.createElement("style");
  style.textContent = "body { color: red }";
  document.head.append(style);`;
