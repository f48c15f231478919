import { type AttributeMap, attributeOf, emptyMap } from './values.ts';

/**
 * The attributes with these names, of an item as it is stored. The others are passed over and not parsed: a request for some of
 * the counters of thousands of items takes half the time. Only texts, numbers and bytes without an escape are known here; an
 * item that has anything else is parsed.
 */
export const someAttributes = (text: string, names: ReadonlySet<string>): AttributeMap =>
  scanned(text, names) ?? parsed(text, names);

function parsed(text: string, names: ReadonlySet<string>): AttributeMap {
  const item = JSON.parse(text) as AttributeMap;
  const some = emptyMap();
  for (const name of names) {
    const value = attributeOf(item, name);
    if (value) some[name] = value;
  }
  return some;
}

const quote = 0x22;
const backslash = 0x5c;

/** Undefined if the item has something that this does not know. */
function scanned(text: string, names: ReadonlySet<string>): AttributeMap | undefined {
  const some = emptyMap();
  let at = 1;
  while (text.charCodeAt(at) === quote) {
    // "name":{"N":"12"}
    const colon = endOfText(text, at + 1);
    const begin = colon + '":{"N":"'.length;
    const end = endOfText(text, begin);
    if (colon < 0 || end < 0 || !text.startsWith('":{"', colon) || !text.startsWith('":"', begin - 3)) return undefined;
    const name = text.slice(at + 1, colon);
    if (names.has(name)) some[name] = { [text[begin - 4]!]: text.slice(begin, end) } as AttributeMap[string];
    if (text.startsWith('"}}', end) && end + 3 === text.length) return some;
    if (!text.startsWith('"},', end)) return undefined;
    at = end + 3;
  }
  return undefined;
}

/** The position of the quote that ends a text; -1 if there is an escape before it, or none. Faster than `indexOf` for few letters. */
function endOfText(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    if (letter === quote) return i;
    if (letter === backslash) return -1;
  }
  return -1;
}
