import { createHash } from 'node:crypto';
import { allOperations } from '#schemas/families/index.ts';
import { Chapter, type Exchange } from './chapter.ts';
import { startFakeShops } from './fake-shops.ts';
import { loopbackOnly } from './loopback-only.ts';
import { repeatable } from './repeatable.ts';
import { type Service, startService } from './service.ts';

/** So many requests use one table. More would make every request slower, and a repetition longer. */
const chapterLength = 2000;

export interface FuzzOptions {
  seed: number;
  /** The number of the first request, which begins a chapter. */
  from?: number | undefined;
  requests: number;
  /** The number of the request to repeat. Those before it in its chapter are sent too. */
  only?: number | undefined;
  onExchange?: (number: number, exchange: Exchange) => void;
}

interface Failure extends Exchange {
  number: number;
  /** How many requests failed like this one. */
  count: number;
}

export interface FuzzReport {
  requests: number;
  /** One for each kind. */
  failures: Failure[];
  /** How many answers had each status. */
  statuses: Map<number, number>;
  /** Operations that never succeeded. */
  neverSucceeded: string[];
  /** Of everything that was sent and answered: equal in every run with the same seed. */
  digest: string;
  slowest: { number: number; name: string; ms: number }[];
}

let service: Service | undefined;

export async function fuzz({ seed, from = 1, requests, only, onExchange }: FuzzOptions): Promise<FuzzReport> {
  if (from !== firstOfChapter(from)) throw new Error(`A chapter begins at ${firstOfChapter(from)}, none at ${from}.`);
  await using shops = await startFakeShops();
  service ??= await startService();
  loopbackOnly(shops.ports);
  repeatable.takeOver();
  const tally = new Tally();
  const [first, last] = only === undefined ? [from, from + requests - 1] : [firstOfChapter(only), only];
  let chapter: Chapter | undefined;
  for (let number = first; number <= last; number++) {
    if (number === firstOfChapter(number)) {
      chapter = new Chapter(service, shops, `${seed}/${number}`);
      await chapter.begin();
    }
    const exchange = await chapter!.next();
    tally.add(number, exchange);
    onExchange?.(number, exchange);
  }
  return tally.report(last - first + 1);
}

const firstOfChapter = (number: number) => number - ((number - 1) % chapterLength);

class Tally {
  readonly #failures = new Map<string, Failure>();
  readonly #statuses = new Map<number, number>();
  readonly #succeeded = new Set<string>();
  readonly #digest = createHash('sha256');
  #slowest: FuzzReport['slowest'] = [];

  add(number: number, exchange: Exchange): void {
    const { name, request, status, answer, fault, ms } = exchange;
    this.#digest.update(`${request}\n${status} ${answer}\n`);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (status >= 200 && status < 400) this.#succeeded.add(name);
    if (ms > (this.#slowest.at(-1)?.ms ?? 0) || this.#slowest.length < 5) {
      this.#slowest = [...this.#slowest, { number, name, ms }].toSorted((a, b) => b.ms - a.ms).slice(0, 5);
    }
    if (fault === undefined) return;
    const kind = `${name} ${status} ${fault.slice(0, 200)}`;
    const known = this.#failures.get(kind);
    if (known) known.count++;
    else this.#failures.set(kind, { ...exchange, number, count: 1 });
  }

  report(requests: number): FuzzReport {
    return {
      requests,
      failures: [...this.#failures.values()],
      statuses: new Map([...this.#statuses].toSorted(([a], [b]) => a - b)),
      neverSucceeded: allOperations.map(({ id }) => id).filter((id) => !this.#succeeded.has(id)),
      digest: this.#digest.digest('hex').slice(0, 16),
      slowest: this.#slowest,
    };
  }
}
