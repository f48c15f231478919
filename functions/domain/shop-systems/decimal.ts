/** An amount exactly as it is written: `units` divided by ten as often as `scale` says. */
export interface Decimal {
  units: bigint;
  scale: number;
}

/** Longer ones are no money, and would only cost time. */
const maxDigits = 40;

/** A decimal text such as `-19.90`, or a JSON number. Undefined for everything else, also for `1e3` and `12,50`. */
export function decimalOf(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? plainDigits(value) : value;
  if (typeof text !== 'string' || text.length > maxDigits) return undefined;
  const [, sign, whole, fraction = ''] = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { units: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`), scale: fraction.length };
}

/** JavaScript writes 0.0000001 as `1e-7`. Twenty decimals hold what is left of it. */
function plainDigits(value: number): string {
  const text = String(value);
  return /e-/.test(text) ? value.toFixed(20).replace(/0+$/, '') : text;
}

export const sumOf = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce(
    (sum, amount) => {
      const scale = Math.max(sum.scale, amount.scale);
      return { units: unitsAt(sum, scale) + unitsAt(amount, scale), scale };
    },
    { units: 0n, scale: 0 },
  );

const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

/** Half a unit is rounded away from zero, as people do. */
export function rounded({ units, scale }: Decimal, decimals: number): Decimal {
  if (scale <= decimals) return { units, scale };
  return { units: dividedUnits(units, 10n ** BigInt(scale - decimals)), scale: decimals };
}

/** An equal part, rounded to as many decimals as the whole has, and at least to hundredths. @param count at least 1 */
export function equalPart(amount: Decimal, count: number): Decimal {
  const scale = Math.max(amount.scale, 2);
  return { units: dividedUnits(unitsAt(amount, scale), BigInt(count)), scale };
}

function dividedUnits(units: bigint, by: bigint): bigint {
  const size = units < 0n ? -units : units;
  const quotient = (2n * size + by) / (2n * by);
  return units < 0n ? -quotient : quotient;
}

/** The number that is written as this amount. Undefined if there is none: numbers hold about fifteen digits. */
export function amountOf(amount: Decimal): number | undefined {
  const number = Number(digitsOf(amount));
  const written = decimalOf(number);
  return written && isSameAmount(written, amount) ? number || 0 : undefined;
}

/** The amount as a text, with all its decimals. */
export function digitsOf({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const fraction = scale > 0 ? `.${digits.slice(-scale)}` : '';
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
}

const isSameAmount = (a: Decimal, b: Decimal): boolean => {
  const scale = Math.max(a.scale, b.scale);
  return unitsAt(a, scale) === unitsAt(b, scale);
};
