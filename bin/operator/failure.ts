/** What the service gave up, as an operator sees it. It shows nothing of the content, which may be about customers. */
export interface GivenUp {
  /** The name by which the commands know where it is. */
  queue: string;
  /** When it was put aside, or when its message was sent first. */
  since: string;
  /** Why, if the function knew. */
  reason: string;
  /** How many records it has. */
  records: number;
}

/** How a command tells what it does, and how it is stopped. */
export interface Run {
  say(line: string): void;
  /** What is in hand is finished, and nothing more is begun. */
  signal: AbortSignal;
  /** What was given up later stays, so that a command ends although things fail again. */
  start: number;
}

/** Nobody reads more lines, and what is listed is in memory. */
export const maxListed = 200;

/** Counts what is sent again, and says so from time to time. */
export class Progress {
  count = 0;
  readonly #about: string;
  readonly #say: Run['say'];

  constructor(about: string, say: Run['say']) {
    this.#about = about;
    this.#say = say;
  }

  add(more: number): void {
    const before = this.count;
    this.count += more;
    if (Math.floor(before / everySoMany) === Math.floor(this.count / everySoMany)) return;
    this.#say(`${this.#about}: ${thousands(this.count)} sent again.`);
  }
}

const everySoMany = 1000;

export const thousands = (count: number): string => count.toLocaleString('en');
