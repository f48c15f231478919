import { entriesOf } from '#domain/shop-systems/fields.ts';

/** How PHP and WordPress write values. */

/** WordPress stores `&` and typographic signs in titles as entities. */
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  times: '×',
  euro: '€',
};

/** Other values than texts stay. */
export function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** What is shown of a value may be marked up. A `<` that begins no tag stays. */
export const withoutTags = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/<\/?[a-z][^<>]*>/gi, ' ').replace(/\s+/g, ' ') : value;

/** The meta data of an order or of a line item: the first value of each key. */
export function metaOf(value: unknown): ReadonlyMap<string, unknown> {
  const meta = new Map<string, unknown>();
  for (const { key, value: told } of entriesOf(value) ?? []) {
    if (typeof key === 'string' && key !== '' && !meta.has(key)) meta.set(key, told);
  }
  return meta;
}
