/**
 * Whether the JSON of a value is certainly longer than this. It stops counting there, so that a value that repeats a
 * large part many times costs no more than one that just fits. It counts less than JSON has, without escapes and commas.
 */
export function isJsonLongerThan(value: unknown, max: number): boolean {
  let length = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && length <= max) {
    const next = open.pop();
    if (typeof next === 'string') length += next.length + 2;
    else if (typeof next !== 'object' || next === null) length += 1;
    else if (Array.isArray(next)) for (const one of next) open.push(one);
    else {
      for (const [name, one] of Object.entries(next)) {
        if (one === undefined) continue;
        length += name.length + 3;
        open.push(one);
      }
    }
  }
  return length > max;
}
