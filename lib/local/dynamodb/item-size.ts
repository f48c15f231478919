import { parseNumber } from './numbers.ts';
import { type AttributeMap, type AttributeValue, typeOf } from './values.ts';

const DOCUMENT_OVERHEAD = 3;
const ELEMENT_OVERHEAD = 1;

/** The size in bytes as AWS counts it ("DynamoDB item sizes and formats" in the developer guide). */
export function itemSize(item: AttributeMap): number {
  let size = 0;
  for (const name in item) size += Buffer.byteLength(name) + valueSize(item[name]!);
  return size;
}

export function valueSize(value: AttributeValue): number {
  const type = typeOf(value);
  const content = (value as Record<string, unknown>)[type];
  switch (type) {
    case 'S':
      return Buffer.byteLength(content as string);
    case 'N':
      return numberSize(content as string);
    case 'B':
      return binarySize(content as string);
    case 'SS':
      return total(content as string[], (member) => Buffer.byteLength(member));
    case 'NS':
      return total(content as string[], numberSize);
    case 'BS':
      return total(content as string[], binarySize);
    case 'L':
      return DOCUMENT_OVERHEAD + total(content as AttributeValue[], (element) => ELEMENT_OVERHEAD + valueSize(element));
    case 'M': {
      const map = content as AttributeMap;
      return DOCUMENT_OVERHEAD + ELEMENT_OVERHEAD * Object.keys(map).length + itemSize(map);
    }
    default:
      return 1;
  }
}

const total = <Member>(members: Member[], size: (member: Member) => number) =>
  members.reduce((sum, member) => sum + size(member), 0);

/** A byte for each two digits, in pairs that begin at the decimal point, one for the exponent, one for a minus. */
function numberSize(text: string): number {
  const { coefficient, exponent } = parseNumber(text);
  if (coefficient === 0n) return 1;
  const negative = coefficient < 0n;
  const digits = coefficient.toString().length - (negative ? 1 : 0);
  const pairs = Math.floor((exponent + digits - 1) / 2) - Math.floor(exponent / 2) + 1;
  return pairs + 1 + (negative ? 1 : 0);
}

const binarySize = (base64: string) =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
