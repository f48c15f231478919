const cache = new Map<string, RegExp>();
const maxCached = 5000;

/** IAM's wildcards: `*` is any text, `?` one character. */
export function matchesPattern(pattern: string, value: string): boolean {
  let expression = cache.get(pattern);
  if (!expression) {
    const escaped = pattern.replace(/[\\^$+.()|[\]{}]/g, '\\$&');
    expression = new RegExp(`^${escaped.replace(/\*+/g, '[^]*').replace(/\?/g, '[^]')}$`);
    if (cache.size >= maxCached) cache.clear();
    cache.set(pattern, expression);
  }
  return expression.test(value);
}
