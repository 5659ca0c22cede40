/** Hides and shows the rows of a category in a grid. */

const FOLDED = "roomrack-folded";

for (const table of document.querySelectorAll(".grid:not(.portfolio)")) addFolding(table);

/** Adds a button to each category that hides its plans or rooms, until the browser is closed. */
function addFolding(table) {
  for (const head of table.querySelectorAll("tbody > .group, tbody:not(:has(.group)) > .category")) {
    const rows = rowsBelow(head);
    if (rows.length === 0) continue;
    const name = `${new URL(rows[0].querySelector("a").href).pathname} ${head.querySelector("b").textContent}`;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "fold-button", ariaLabel: `Rows of ${head.querySelector("b").textContent}` });
    const show = (isOpen) => {
      button.ariaExpanded = String(isOpen);
      for (const row of rows) row.hidden = !isOpen;
    };
    button.addEventListener("click", () => {
      show(button.ariaExpanded === "false");
      storeFolded(name, button.ariaExpanded === "false");
    });
    show(!folded().includes(name));
    head.cells[0].querySelector("b").before(button);
  }
}

/** The rows up to the next category. */
function rowsBelow(head) {
  const rows = [...head.parentElement.rows].slice(head.sectionRowIndex + 1);
  if (head.matches(".group")) return rows;
  const end = rows.findIndex((row) => row.matches(".category"));
  return end === -1 ? rows : rows.slice(0, end);
}

/** Browsers may deny access to storage; everything is then shown again on the next page. */
function folded() {
  try {
    return JSON.parse(sessionStorage.getItem(FOLDED)) ?? [];
  } catch {
    return [];
  }
}

function storeFolded(name, isFolded) {
  const others = folded().filter((one) => one !== name);
  try {
    sessionStorage.setItem(FOLDED, JSON.stringify(isFolded ? [...others, name] : others));
  } catch {
    // Applies to this page only.
  }
}
