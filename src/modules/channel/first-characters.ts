/** The first `most` characters as people and the forms count them; never cuts a surrogate pair in two. */
export function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join("");
}
