/** Bodies that no sensible client sends: a good one with one thing changed, and some of quite another form. */

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x'.repeat(3000),
  '\u0000',
  '\ud800',
  '💥'.repeat(80),
  '2026-99-99T00:00:00Z',
  'constructor',
  '../../..',
  [],
  [[]],
  [null],
  [{}],
  {},
  { a: { b: { c: [] } } },
  { toString: 1, constructor: null, length: -1 },
  JSON.parse('{"__proto__":{"admin":true}}'),
  JSON.parse(nested(500)),
  Array.from({ length: 2000 }, (_, i) => i),
  ['x', 1, null, {}],
  Number.MAX_SAFE_INTEGER,
  '9'.repeat(400),
  'ß'.repeat(256),
  '\u202e\ufeff',
];

const noBodies: readonly unknown[] = [null, [], {}, 7, true, [[]], [null, 1], 'text', JSON.parse(nested(200))];

type Path = readonly (string | number)[];

/** Every place in a value, containers before what they hold. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : value !== null && typeof value === 'object'
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, inner]) => [[...path, key], ...pathsIn(inner, [...path, key])]);
}

function changed(value: unknown, path: Path, change: (holder: Record<string, unknown>, key: string) => void): unknown {
  const copy = structuredClone(value);
  const holder = path.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], copy as unknown);
  change(holder as Record<string, unknown>, String(path.at(-1)));
  return copy;
}

/** The same bodies in every run, so that a failure can be repeated. */
export function oddBodies(good: unknown, count: number): unknown[] {
  const paths = pathsIn(good);
  const changes = Array.from({ length: count - noBodies.length }, (_, i) => {
    const path = paths[(i * 7) % paths.length]!;
    const odd = oddValues[(i * 11 + Math.floor(i / paths.length)) % oddValues.length];
    return changed(good, path, (holder, key) => {
      if (i % 9 === 8) delete holder[key];
      else if (i % 9 === 7) holder[`${key}_more`] = odd;
      else holder[key] = odd;
    });
  });
  return [...noBodies, ...changes];
}
