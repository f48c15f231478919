const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;

/** Measured by the service, so no example can know it. */
const measured = new Set([
  'duration_ms',
  'p50',
  'p95',
  'p50_ms',
  'p95_ms',
  'webhook-timestamp',
  'service-signature',
  'webhook-signature',
]);

/** Which values of a running service stand for the invented values of the examples. */
export class StandIns {
  readonly #invented: ReadonlySet<string>;
  readonly #givenTimes: ReadonlySet<number>;
  readonly #shift: number;
  #real: Map<string, string>;

  /**
   * `invented` are the ids and secrets that the service makes itself. `requests` contain the times that a caller gives;
   * all other times are the service's own. `shift` is the distance from the time of the examples to now.
   */
  constructor(invented: Iterable<string>, requests: unknown, shift: number) {
    this.#invented = new Set(invented);
    this.#givenTimes = new Set(textsIn(requests).filter(isDateTime).map(Date.parse));
    this.#shift = shift;
    this.#real = new Map();
  }

  learn(invented: string, real: string): void {
    this.#real.set(invented, real);
  }

  realOf(invented: string): string {
    const real = this.#real.get(invented);
    if (real === undefined) throw new Error(`Nothing stands for ${invented} yet.`);
    return real;
  }

  /** The request as it is sent. */
  toReal<T>(value: T): T {
    return mapTexts(value, (text) => {
      if (isDateTime(text)) return this.#moved(text, this.#shift);
      return replaced(text, [...this.#real]);
    }) as T;
  }

  /**
   * The answer in the words of the example. A value that the service made becomes that of the example if it has the same
   * form and always stands for the same one. Everything else stays, so that a difference shows. `keep` remembers which new
   * values stand for which.
   */
  toExample(answer: unknown, example: unknown): { value: unknown; keep(): void } {
    const before = this.#real;
    this.#real = new Map(before);
    const value = this.#translated(answer, example);
    const after = this.#real;
    this.#real = before;
    return {
      value,
      keep: () => {
        this.#real = after;
      },
    };
  }

  #translated(answer: unknown, example: unknown, name = ''): unknown {
    if (measured.has(name) && hasForm(answer, example)) return example;
    if (typeof answer === 'string') return this.#translatedText(answer, example);
    if (Array.isArray(answer)) {
      const examples = Array.isArray(example) ? example : [];
      return answer.map((element, index) => this.#translated(element, examples[index]));
    }
    if (answer === null || typeof answer !== 'object') return answer;
    const fields = (example ?? {}) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(answer).map(([field, value]) => [field, this.#translated(value, fields[field], field)]),
    );
  }

  #translatedText(answer: string, example: unknown): string {
    if (typeof example === 'string') {
      if (this.#invented.has(example) && this.#standsFor(answer, example)) return example;
      if (isDateTime(example) && isDateTime(answer)) return this.#translatedTime(answer, example);
      if (isDate(example) && isDate(answer)) return example;
      if (isSignedLink(example) && isSignedLink(answer)) return this.#translatedLink(answer, example);
    }
    return replaced(
      answer,
      [...this.#real].map(([invented, real]) => [real, invented]),
    );
  }

  #standsFor(answer: string, invented: string): boolean {
    const known = this.#real.get(invented);
    if (known !== undefined) return known === answer;
    if (formOf(answer) !== formOf(invented)) return false;
    this.#real.set(invented, answer);
    return true;
  }

  #translatedTime(answer: string, example: string): string {
    return this.#givenTimes.has(Date.parse(example)) ? this.#moved(answer, -this.#shift) : example;
  }

  /** The host and the signature are the service's own. The path and the names of the parameters are not. */
  #translatedLink(answer: string, example: string): string {
    const [given, shown] = [new URL(answer), new URL(example)];
    const path = this.toReal(shown.pathname);
    const isSame = given.pathname.endsWith(path) && namesOf(given) === namesOf(shown);
    return isSame ? example : answer;
  }

  #moved(time: string, ms: number): string {
    const moved = new Date(Date.parse(time) + ms).toISOString();
    return time.includes('.') ? moved : moved.replace('.000Z', 'Z');
  }
}

/** Whether both are numbers, or texts that differ only in their figures and their shortened signatures. */
const hasForm = (answer: unknown, example: unknown): boolean =>
  typeof answer === typeof example && maskOf(answer) === maskOf(example);

const maskOf = (value: unknown) =>
  typeof value === 'number'
    ? ''
    : String(value)
        .replace(/[\w+/=]{8}…/g, '…')
        .replace(/\d{10}/g, '0');

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
const isDateTime = (text: string) => dateTime.test(text);
const isSignedLink = (text: string) => text.includes('X-Amz-Signature=');
const namesOf = (url: URL) => [...url.searchParams.keys()].toSorted().join();

function formOf(text: string): string {
  if (uuid.test(text)) return 'uuid';
  if (/^[0-9A-F]{4}-[0-9A-F]{4}$/.test(text)) return 'number of a claim';
  if (text.startsWith('whsec_')) return 'secret of a webhook';
  return text.length >= 16 && /^[\w-]+=*$/.test(text) ? 'key' : 'text';
}

/** Longer ones first: one may be a part of another. */
function replaced(text: string, pairs: [from: string, to: string][]): string {
  return pairs
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, change)]));
}

function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  mapTexts(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
