import { type CheckRule, upuS10 } from './check-digits.ts';

/**
 * How much the shape alone says:
 * `exclusive`: no other carrier numbers like this; `typical`: mostly this carrier; `shared`: several do.
 */
export type Distinctness = 'exclusive' | 'typical' | 'shared';

export interface NumberFormat {
  /** Completes the sentence "the number has the form of a …". */
  readonly name: string;
  /** Matched against the number in upper case without spaces, dashes and dots. */
  readonly pattern: RegExp;
  readonly distinctness: Distinctness;
  /** Absent where the carrier publishes none, or where we are not sure of it. */
  readonly check?: CheckRule;
  /** `required`: a number that fails is not this carrier's. `indicative`: it speaks for or against the carrier. */
  readonly checkIs?: 'required' | 'indicative';
  /** Considered only for these countries: a bare length says too little elsewhere. */
  readonly onlyIn?: readonly string[];
}

/** An international postal item: its last two letters name the country whose post issued it. */
export const postalItem = (country: string, services = '[A-Z]', distinctness: Distinctness = 'exclusive') =>
  ({
    name: `postal item of ${country} (UPU S10)`,
    pattern: new RegExp(`^${services}[A-Z]\\d{9}${country}$`),
    distinctness,
    check: upuS10,
    checkIs: 'required',
  }) satisfies NumberFormat;
