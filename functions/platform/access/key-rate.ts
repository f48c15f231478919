import { remember } from '#platform/recently-used.ts';
import { keyRateLimits } from '#schemas/catalogues/limits.ts';

/**
 * Limits what the API keys of one shop use, so that no merchant holds up another. A unit is a part of the time of an execution
 * environment, because that is what callers take from each other: a bulk call takes as much as many small ones.
 *
 * A caller at an ordinary rate costs no read and no write. Each environment remembers what a shop used there. Only
 * when it is more than a share does the environment ask for units that all environments count together (access-buckets.ts).
 */

export interface KeyRate {
  unitsPerSecond: number;
  /** Units at once, after a pause. */
  burst: number;
  /** Units in a second that an environment does not count with the others. */
  uncounted: number;
}

/** What a request of so many milliseconds used. */
export const unitsOf = (ms: number): number => Math.max(1, Math.ceil(ms / keyRateLimits.unitMs));

export type Admission = { kind: 'pass' } | { kind: 'ask'; units: number } | { kind: 'wait'; ms: number };

/** What one environment knows of a shop, or of the key of a SuperAdmin. */
interface Use {
  /** Units that may be used before the environment asks. Below 0 if the last request took longer than that. */
  left: number;
  at: number;
  /** Until then everything is counted with the others. */
  busyUntil: number;
  lastAsked: { units: number; at: number };
  blockedUntil: number;
}

const secondMs = 1000;

/** How long a subject counts as busy after its environment asked for units. */
const busyMs = 2 * secondMs;

/** Of a refusal. So an environment asks once in a second at most for a subject that is above its rate. */
const shortestBlockMs = secondMs;

/** Bounds the memory that callers can fill. */
const maxRemembered = 1000;

export class RateMemory {
  readonly #rate: KeyRate;
  readonly #uses = new Map<string, Use>();

  constructor(rate: KeyRate) {
    this.#rate = rate;
  }

  /** Whether a request may run now, or how many units to ask for first. */
  admit(subject: string, now: number): Admission {
    const use = this.#use(subject, now);
    if (use.blockedUntil > now) return { kind: 'wait', ms: use.blockedUntil - now };
    return use.left >= 1 ? { kind: 'pass' } : { kind: 'ask', units: this.#unitsToAsk(use, now) };
  }

  granted(subject: string, units: number, now: number): void {
    const use = this.#use(subject, now);
    use.left += units;
    use.lastAsked = { units, at: now };
    use.busyUntil = now + busyMs;
  }

  refused(subject: string, waitMs: number, now: number): void {
    const use = this.#use(subject, now);
    use.blockedUntil = now + Math.max(waitMs, shortestBlockMs);
    use.busyUntil = use.blockedUntil + busyMs;
  }

  /** What was asked for never exceeds the burst, so a debt must not either. */
  spend(subject: string, units: number, now: number): void {
    const use = this.#use(subject, now);
    use.left = Math.max(use.left - units, -this.#rate.burst / 2);
  }

  #use(subject: string, now: number): Use {
    const before = this.#uses.get(subject) ?? this.#unused(now);
    const use = refilled(before, this.#rate, now);
    remember(this.#uses, subject, use, maxRemembered);
    return use;
  }

  #unused = (now: number): Use => ({
    left: mostLeft(this.#rate),
    at: now,
    busyUntil: 0,
    lastAsked: { units: 0, at: 0 },
    blockedUntil: 0,
  });

  /** As many as last for about a second, so that a busy environment asks once in a second. */
  #unitsToAsk({ left, lastAsked }: Use, now: number): number {
    const perSecond = (lastAsked.units * secondMs) / Math.max(now - lastAsked.at, secondMs / 2);
    const least = Math.max(1, mostLeft(this.#rate));
    const most = Math.max(1, this.#rate.burst / 4);
    return Math.ceil(Math.min(Math.max(perSecond, least), most) - Math.min(left, 0));
  }
}

/** An environment that was idle lets two seconds of its uncounted units pass at once. */
const mostLeft = ({ uncounted }: KeyRate): number => 2 * uncounted;

/** Nothing is refilled while the subject is busy, because everything then counts. */
function refilled(use: Use, rate: KeyRate, now: number): Use {
  const idleMs = now - Math.max(use.at, use.busyUntil);
  if (idleMs <= 0) return { ...use, at: Math.max(use.at, now) };
  return { ...use, at: now, left: Math.min(mostLeft(rate), use.left + (idleMs / secondMs) * rate.uncounted) };
}
