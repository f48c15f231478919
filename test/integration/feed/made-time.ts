/**
 * A clock that only the test moves: nothing takes time but what waits here, and whoever waits least goes on first. So hundreds of
 * functions run at once, as long as they like, in the same order every time.
 */
export class MadeTime {
  now: number;
  readonly #waiting: Waiting[] = [];
  #number = 0;

  constructor(now: number) {
    this.now = now;
  }

  readonly wait = (ms: number): Promise<void> =>
    new Promise((go) => this.#add({ at: this.now + Math.ceil(ms), number: this.#number++, go }));

  /** @param between is done when all stand still */
  async run(isOver: () => boolean, between: () => Promise<void>): Promise<void> {
    while (!isOver()) {
      await new Promise(setImmediate);
      await between();
      const next = this.#takeFirst();
      if (!next) continue;
      this.now = next.at;
      next.go();
    }
  }

  #add(one: Waiting): void {
    const heap = this.#waiting;
    let i = heap.push(one) - 1;
    for (let parent = (i - 1) >> 1; i > 0 && isBefore(one, heap[parent]!); parent = (i - 1) >> 1) {
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = one;
  }

  #takeFirst(): Waiting | undefined {
    const heap = this.#waiting;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

interface Waiting {
  at: number;
  /** Of two at the same time, the first is first. */
  number: number;
  go: () => void;
}

const isBefore = (a: Waiting, b: Waiting) => a.at < b.at || (a.at === b.at && a.number < b.number);
