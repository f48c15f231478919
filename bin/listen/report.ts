import { isAccepted, type Outcome } from './post.ts';

export interface Posted {
  ref: string;
  id: string;
  outcome: Outcome;
  /** Such as that it was sent again. */
  note?: string | undefined;
}

/** One line for each delivery: time, status, duration, id, event. */
export function lineOf({ ref, id, outcome, note }: Posted, at: Date): string {
  const result = 'status' in outcome ? String(outcome.status) : outcome.failure;
  const parts = [at.toTimeString().slice(0, 8), result.padEnd(4), `${outcome.ms} ms`.padStart(8), id.slice(0, 13), ref];
  return [...parts, ...(note ? [`(${note})`] : [])].join('  ');
}

/** What was posted so far, and to whom it is told. */
export class Report {
  readonly #say: (line: string) => void;
  accepted = 0;
  refused = 0;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  posted(posted: Posted): void {
    if (isAccepted(posted.outcome)) this.accepted++;
    else this.refused++;
    this.#last = '';
    this.#say(lineOf(posted, new Date()));
  }

  say(line: string): void {
    this.#say(line);
  }

  /** Says the first of several equal lines in a row only. */
  sayOnce(line: string): void {
    if (line !== this.#last) this.#say(line);
    this.#last = line;
  }

  #last = '';

  summary(): string {
    return `${this.accepted} accepted, ${this.refused} not.`;
  }
}
