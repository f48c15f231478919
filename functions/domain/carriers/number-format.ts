/**
 * How much the shape of a number tells about its carrier. `exclusive`: no other carrier uses it. `typical`: mostly this
 * carrier. `shared`: several carriers use it.
 */
export type Distinctness = 'exclusive' | 'typical' | 'shared';

export interface NumberFormat {
  /** Completes the sentence "the number has the form of a …". */
  readonly name: string;
  /** Matched against the number in upper case without spaces, dashes and dots. */
  readonly pattern: RegExp;
  readonly distinctness: Distinctness;
  /** A number that fails is not from this carrier. Absent if the carrier publishes no rule, or if we are not sure of it. */
  readonly requires?: CheckRule;
  /** The result only changes the score. A format has one rule at the most. */
  readonly indicatedBy?: CheckRule;
  /** The format counts only for these countries, because a bare length is too weak elsewhere. */
  readonly onlyIn?: readonly string[];
}

/** An international postal item. Its last two letters name the country whose post issued it. */
export const postalItem = (country: string, services = '[A-Z]', distinctness: Distinctness = 'exclusive') =>
  ({
    name: `postal item of ${country} (UPU S10)`,
    pattern: new RegExp(`^${services}[A-Z]\\d{9}${country}$`),
    distinctness,
    requires: upuS10,
  }) satisfies NumberFormat;

/** A published check rule. `holds` is called only with numbers that have the shape of the format. */
export interface CheckRule {
  /** The name of the rule in the reasons of a detection. */
  readonly name: string;
  readonly holds: (number: string) => boolean;
}

/** UPU standard S10: the ninth digit checks the eight before it. The letters around them are not checked. */
export const upuS10: CheckRule = {
  name: 'UPU S10, modulo 11',
  holds: (number) => {
    const remainder = 11 - (weightedSum(number.slice(2, 10), [8, 6, 4, 2, 3, 5, 9, 7]) % 11);
    const expected = remainder === 10 ? 0 : remainder === 11 ? 5 : remainder;
    return Number(number[10]) === expected;
  },
};

/** GS1 keys (SSCC and others): weights 3 and 1, where the digit before the check digit always has 3. */
export const gs1: CheckRule = {
  name: 'GS1, modulo 10 with weights 3 and 1',
  holds: (number) => lastDigitOf(number) === complementToTen(threeOneSum(number)),
};

/** USPS labels: the check does not cover the postal code (420 + ZIP) that may come before the number. */
export const uspsImpb: CheckRule = {
  name: 'USPS IMpb, modulo 10 with weights 3 and 1',
  holds: (number) => gs1.holds(number.startsWith('420') ? number.slice(-22) : number),
};

/** FedEx Ground 96: the check digit covers the last 14 digits before it, not the application identifier. */
export const fedexGround96: CheckRule = {
  name: 'FedEx Ground, modulo 10 with weights 3 and 1',
  holds: (number) => gs1.holds(number.slice(-15)),
};

/** FedEx Express, 12 digits: a remainder of 10 is written as 0. */
export const fedexExpress: CheckRule = {
  name: 'FedEx Express, modulo 11',
  holds: (number) => lastDigitOf(number) === (weightedSum(number.slice(0, 11), [3, 1, 7]) % 11) % 10,
};

/** UPS: the value of a letter is the last digit of its position in the alphabet plus one (A is 2). */
export const upsModulo10: CheckRule = {
  name: 'UPS, modulo 10',
  holds: (number) => {
    const serial = number.startsWith('1Z') ? number.slice(2, -1) : number.slice(1, -1);
    return lastDigitOf(number) === complementToTen(weightedSum(serial, [1, 2], upsValue));
  },
};

export const dhlExpressModulo7: CheckRule = {
  name: 'DHL Express, modulo 7',
  holds: (number) => lastDigitOf(number) === Number(number.slice(0, -1)) % 7,
};

/** Identcode of Deutsche Post and DHL: 11 digits with weights 4 and 9 from the left. */
export const dhlIdentcode: CheckRule = {
  name: 'DHL Identcode, modulo 10 with weights 4 and 9',
  holds: (number) => lastDigitOf(number) === complementToTen(weightedSum(number.slice(0, -1), [4, 9])),
};

/** GLS adds one to the sum, so no number passes both GLS and GS1. */
export const glsModulo10: CheckRule = {
  name: 'GLS, modulo 10 with weights 3 and 1 plus 1',
  holds: (number) => lastDigitOf(number) === complementToTen(threeOneSum(number) + 1),
};

/** ISO 7064 MOD 37,36: the check character that DPD prints after its 14 digits. */
export const iso7064Mod37And36: CheckRule = {
  name: 'ISO 7064 MOD 37,36',
  holds: (number) => {
    let carried = 36;
    for (const character of number.slice(0, -1)) {
      const sum = (carried + parseInt(character, 36)) % 36 || 36;
      carried = (sum * 2) % 37;
    }
    return parseInt(number.at(-1) ?? '', 36) === (37 - carried) % 36;
  },
};

const lastDigitOf = (number: string) => Number(number.at(-1));

const complementToTen = (sum: number) => (10 - (sum % 10)) % 10;

/** The weights repeat from the left. */
function weightedSum(digits: string, weights: readonly number[], value: (character: string) => number = Number) {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) sum += value(digits[i]!) * weights[i % weights.length]!;
  return sum;
}

/** Everything before the check digit, weighted 3, 1, 3, … from the right. */
const threeOneSum = (number: string) => weightedSum([...number.slice(0, -1)].reverse().join(''), [3, 1]);

const upsValue = (character: string) =>
  /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 'A'.charCodeAt(0) + 2) % 10;
