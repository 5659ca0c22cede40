/**
 * Looks up once what several want at the same time. They get it in the order in which they came: as the connections of a database answer
 * in any order, a message could overtake an earlier one.
 */
export class Lookups<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  find(key: string, find: () => Promise<T>): Promise<T> {
    return this.#underWay.getOrInsertComputed(key, () => find().finally(() => this.#underWay.delete(key)));
  }
}
