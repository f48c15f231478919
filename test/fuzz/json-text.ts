/** A piece of JSON text that no value has, such as `1e400`. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON with raw pieces in the places of their values. */
export function jsonText(value: unknown): string {
  const pieces: string[] = [];
  const text = JSON.stringify(value, (_name, inner) => {
    if (!(inner instanceof Raw)) return inner;
    pieces.push(inner.text);
    return `${mark}${pieces.length - 1}`;
  });
  return (text ?? 'null').replace(marked, (_whole, index) => pieces[Number(index)]!);
}

const mark = '\u{10fffd}raw ';
const marked = new RegExp(`"${mark}(\\d+)"`, 'gu');

type Container = Record<string | number, unknown>;

/** Sets a field also if it is called `__proto__`. */
export function setField(target: object, name: string | number, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

export const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof Raw) && !(value instanceof Uint8Array);

/** Every place in a value: the object or list that holds it, and its name there. */
export function placesIn(value: unknown): [holder: Container, name: string][] {
  if (!isContainer(value)) return [];
  return Object.keys(value).flatMap((name) => [
    [value, name] as [Container, string],
    ...placesIn((value as Container)[name]),
  ]);
}
