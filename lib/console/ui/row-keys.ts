/** A key for each row of a list within a form: a row keeps its own while others are added or removed. */
export class RowKeys {
  #keys: number[] = [];
  #next = 0;

  of(count: number): readonly number[] {
    this.#keys.length = Math.min(this.#keys.length, count);
    while (this.#keys.length < count) this.#keys.push(this.#next++);
    return this.#keys;
  }

  removed(index: number): void {
    this.#keys.splice(index, 1);
  }
}
