import { validation } from './errors.ts';

/** value = coefficient × 10^exponent. The coefficient has no trailing zeros. Zero is 0 × 10^0. */
export interface Decimal {
  coefficient: bigint;
  exponent: number;
}

const MAX_DIGITS = 38;
const MAX_MAGNITUDE = 125;
const MIN_MAGNITUDE = -130;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;
const ZERO: Decimal = { coefficient: 0n, exponent: 0 };

export function parseNumber(text: string): Decimal {
  const match = NUMBER.exec(text);
  const whole = match?.[2] ?? '';
  const fraction = match?.[3] ?? '';
  if (!match || whole.length + fraction.length === 0) {
    throw validation(
      text === ''
        ? 'The parameter cannot be converted to a numeric value'
        : `The parameter cannot be converted to a numeric value: ${text}`,
    );
  }
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return ZERO;
  const exponent = Number(match[4] ?? 0) - fraction.length + (digits.length - significant.length);
  return checked(match[1] === '-', significant, exponent);
}

function checked(negative: boolean, significant: string, exponent: number): Decimal {
  if (significant.length > MAX_DIGITS) {
    throw validation('Attempting to store more than 38 significant digits in a Number');
  }
  const magnitude = exponent + significant.length - 1;
  if (magnitude > MAX_MAGNITUDE) {
    throw validation('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (magnitude < MIN_MAGNITUDE) {
    throw validation('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  return { coefficient: BigInt(negative ? `-${significant}` : significant), exponent };
}

function formatNumber({ coefficient, exponent }: Decimal): string {
  const negative = coefficient < 0n;
  const digits = (negative ? -coefficient : coefficient).toString();
  const sign = negative ? '-' : '';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const point = digits.length + exponent;
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}

const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,36})$/;

/** The one text of a number, as DynamoDB returns it, so equal numbers are equal strings. */
export const normalizeNumber = (text: string) => (PLAIN_INTEGER.test(text) ? text : formatNumber(parseNumber(text)));

function aligned(left: Decimal, right: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(left.exponent, right.exponent);
  return [
    left.coefficient * 10n ** BigInt(left.exponent - exponent),
    right.coefficient * 10n ** BigInt(right.exponent - exponent),
    exponent,
  ];
}

export function compareNumbers(left: string, right: string): number {
  const [a, b] = aligned(parseNumber(left), parseNumber(right));
  return a < b ? -1 : a > b ? 1 : 0;
}

export function addNumbers(left: string, right: string, sign: 1n | -1n = 1n): string {
  const [a, b, exponent] = aligned(parseNumber(left), parseNumber(right));
  return normalizeNumber(`${a + sign * b}e${exponent}`);
}

const NEGATIVE = 0x40;
const ZERO_BYTE = 0x80;
const POSITIVE = 0xc0;
const EXPONENT_OFFSET = 0x4000;

/** Bytes that sort as the numbers do: sign, exponent, digits. They are complemented for negative numbers. */
export function numberSortBytes(text: string): Buffer {
  const { coefficient, exponent } = parseNumber(text);
  if (coefficient === 0n) return Buffer.from([ZERO_BYTE]);
  const negative = coefficient < 0n;
  const digits = (negative ? -coefficient : coefficient).toString();
  const scale = exponent + digits.length + EXPONENT_OFFSET;
  const bytes = [scale >> 8, scale & 0xff, ...Buffer.from(digits, 'latin1')];
  if (!negative) return Buffer.from([POSITIVE, ...bytes]);
  // The final 0xff sorts a shorter negative number (nearer to zero) after a longer one with the same prefix.
  return Buffer.from([NEGATIVE, ...bytes.map((byte) => 0xff - byte), 0xff]);
}
