export interface Due {
  at: number;
  order: number;
  /** Which step of its order it is. */
  next: number;
}

/** What comes next, the earliest first. */
export class Heap {
  readonly #items: Due[] = [];

  peek(): Due | undefined {
    return this.#items[0];
  }

  push(item: Due): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (items[parent]!.at <= item.at) break;
      items[place] = items[parent]!;
      place = parent;
    }
    items[place] = item;
  }

  pop(): Due | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]!.at < items[child]!.at) child += 1;
      if (items[child]!.at >= last.at) break;
      items[place] = items[child]!;
      place = child;
    }
    items[place] = last;
    return first;
  }
}
