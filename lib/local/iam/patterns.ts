const compiled = new Map<string, RegExp>();
const cacheLimit = 5000;

/** IAM's wildcards: `*` is any text, `?` one character. */
export function matchesPattern(pattern: string, value: string): boolean {
  let expression = compiled.get(pattern);
  if (!expression) {
    const escaped = pattern.replace(/[\\^$+.()|[\]{}]/g, '\\$&');
    expression = new RegExp(`^${escaped.replace(/\*+/g, '[^]*').replace(/\?/g, '[^]')}$`);
    if (compiled.size >= cacheLimit) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression.test(value);
}
