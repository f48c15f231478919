import { invalidParameter, serialization, validation } from './errors.ts';
import { compareNumbers, normalizeNumber } from './numbers.ts';

export type AttributeValue =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: AttributeValue[] }
  | { M: AttributeMap };
export type AttributeMap = Record<string, AttributeValue>;
export type TypeName = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M';

/** The maximum number of lists and maps around a value. The item itself is the 32nd level. */
const MAX_NESTING = 31;
const MAX_NAME_BYTES = 65535;

/** Maps have no prototype, because clients may use attribute names such as `__proto__` and `constructor`. */
export const emptyMap = (): AttributeMap => Object.create(null);
export const copyMap = (map: AttributeMap): AttributeMap => Object.assign(emptyMap(), map);
export const attributeOf = (map: AttributeMap, name: string): AttributeValue | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

export const typeOf = (value: AttributeValue): TypeName => {
  for (const type in value) return type as TypeName;
  throw new Error('The attribute value has no type.');
};

export const contentOf = (value: AttributeValue): unknown => (value as Record<string, unknown>)[typeOf(value)];

/** Checks a map of attribute values from a request, and normalises numbers and binary values. */
export function readMap(input: unknown, depth = 0): AttributeMap {
  if (!isObject(input)) throw serialization('Unexpected value where a map of attribute values was expected');
  const map = emptyMap();
  for (const name of Object.keys(input)) {
    assertAttributeName(name);
    map[name] = readValue(input[name], depth);
  }
  return map;
}

export function assertAttributeName(name: string): void {
  if (name === '') throw validation('Empty attribute name');
  if (name.length * 3 <= MAX_NAME_BYTES || Buffer.byteLength(name) <= MAX_NAME_BYTES) return;
  throw invalidParameter('Attribute name is too large, must be less than 65536');
}

export function readValue(input: unknown, depth = 0): AttributeValue {
  if (!isObject(input)) throw serialization('Unexpected value where an attribute value was expected');
  const types = Object.keys(input).filter((type) => input[type] !== null);
  if (types.length === 0) {
    throw validation('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
  if (types.length > 1) {
    throw validation(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  const type = types[0]!;
  return readTyped(type, input[type], depth);
}

function readTyped(type: string, content: unknown, depth: number): AttributeValue {
  switch (type) {
    case 'S':
      return { S: text(content) };
    case 'N':
      return { N: normalizeNumber(text(content)) };
    case 'B':
      return { B: binary(content) };
    case 'BOOL':
      if (typeof content !== 'boolean') throw serialization('Unexpected value where a boolean was expected');
      return { BOOL: content };
    case 'NULL':
      if (content !== true) throw invalidParameter('Null attribute value types must have the value of true');
      return { NULL: true };
    case 'SS':
      return { SS: readSet(content, 'string', text) };
    case 'NS':
      return { NS: readSet(content, 'number', (member) => normalizeNumber(text(member))) };
    case 'BS':
      return { BS: readSet(content, 'binary', binary) };
    case 'L':
      assertNesting(depth);
      return { L: list(content).map((element) => readValue(element, depth + 1)) };
    case 'M':
      assertNesting(depth);
      return { M: readMap(content, depth + 1) };
    default:
      throw validation('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
}

function assertNesting(depth: number): void {
  if (depth < MAX_NESTING) return;
  throw validation(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );
}

/** For a value that an update puts below `depth` lists and maps. */
export function assertNestingBelow(value: AttributeValue, depth: number): void {
  const elements = 'L' in value ? value.L : 'M' in value ? Object.values(value.M) : undefined;
  if (depth > MAX_NESTING || (elements && depth === MAX_NESTING)) {
    throw validation('Nesting Levels have exceeded supported limits');
  }
  for (const element of elements ?? []) assertNestingBelow(element, depth + 1);
}

function readSet(content: unknown, kind: string, read: (member: unknown) => string): string[] {
  const members = list(content).map(read);
  if (members.length === 0) {
    throw invalidParameter(kind === 'binary' ? 'Binary sets should not be empty' : `An ${kind} set  may not be empty`);
  }
  if (new Set(members).size < members.length) {
    throw duplicates(kind, members);
  }
  return members;
}

function duplicates(kind: string, members: string[]) {
  if (kind === 'number') return validation('Input collection contains duplicates');
  const type = kind === 'binary' ? 'of type BS' : '';
  return invalidParameter(`Input collection [${members.join(', ')}]${type} contains duplicates.`);
}

export const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

function text(content: unknown): string {
  if (typeof content !== 'string') throw serialization('Unexpected value where a string was expected');
  return content;
}

function list(content: unknown): unknown[] {
  if (!Array.isArray(content)) throw serialization('Unexpected value where a list was expected');
  return content;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function binary(content: unknown): string {
  const encoded = text(content);
  if (encoded.length % 4 !== 0 || !BASE64.test(encoded)) throw serialization('Base64 encoded length is unexpected');
  return Buffer.from(encoded, 'base64').toString('base64');
}

export function equalValues(left: AttributeValue, right: AttributeValue): boolean {
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  const a = contentOf(left);
  const b = contentOf(right);
  if (type === 'L') return equalLists(a as AttributeValue[], b as AttributeValue[]);
  if (type === 'M') return equalMaps(a as AttributeMap, b as AttributeMap);
  if (type === 'SS' || type === 'NS' || type === 'BS') return equalSets(a as string[], b as string[]);
  return a === b;
}

const equalLists = (a: AttributeValue[], b: AttributeValue[]) =>
  a.length === b.length && a.every((value, index) => equalValues(value, b[index]!));

function equalSets(a: string[], b: string[]): boolean {
  const members = new Set(b);
  return a.length === b.length && a.every((member) => members.has(member));
}

export function equalMaps(a: AttributeMap, b: AttributeMap): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => {
    const other = attributeOf(b, name);
    return other !== undefined && equalValues(a[name]!, other);
  });
}

/** The order of two values of the same scalar type. Undefined if they have no common order. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if ('N' in left && 'N' in right) return compareNumbers(left.N, right.N);
  if ('S' in left && 'S' in right) return Buffer.compare(Buffer.from(left.S), Buffer.from(right.S));
  if ('B' in left && 'B' in right) return Buffer.compare(Buffer.from(left.B, 'base64'), Buffer.from(right.B, 'base64'));
  return undefined;
}
