import { type IndexDefinition, type KeySchema, type KeyType, keyNames, type TableDefinition } from './definitions.ts';
import { EmptyKeyError, invalidParameter, validation } from './errors.ts';
import { numberSortBytes } from './numbers.ts';
import { type AttributeMap, type AttributeValue, attributeOf, emptyMap, readMap, typeOf } from './values.ts';

export interface KeyBytes {
  hash: Buffer;
  range: Buffer;
}

export interface ItemKey extends KeyBytes {
  attributes: AttributeMap;
}

const MAX_HASH_BYTES = 2048;
const MAX_RANGE_BYTES = 1024;
const NO_RANGE = Buffer.from([0]);

/** Bytes that sort as DynamoDB sorts keys: strings by UTF-8, numbers by value. */
export function sortBytes(value: AttributeValue): Buffer {
  if ('S' in value) return Buffer.from(value.S);
  if ('N' in value) return numberSortBytes(value.N);
  if ('B' in value) return Buffer.from(value.B, 'base64');
  throw new Error(`A value of type ${typeOf(value)} cannot be a key.`);
}

export const keyAttributes = (schema: KeySchema, item: AttributeMap): AttributeMap => {
  const attributes = emptyMap();
  for (const name of keyNames(schema)) attributes[name] = item[name]!;
  return attributes;
};

/** Reads a `Key` parameter. It must have exactly the key attributes, with the right types. */
export const readKey = (table: TableDefinition, input: unknown): ItemKey => keyOf(table, readMap(input));

export function keyOf(table: TableDefinition, attributes: AttributeMap): ItemKey {
  const names = keyNames(table.key);
  if (Object.keys(attributes).length !== names.length) throw keyMismatch();
  for (const name of names) {
    const value = attributeOf(attributes, name);
    if (!value || typeOf(value) !== table.types[name]) throw keyMismatch();
    assertNotEmpty(value, name);
  }
  return { attributes, ...keyBytes(table.key, attributes) };
}

const keyMismatch = () => validation('The provided key element does not match the schema');

export function keyOfItem(table: TableDefinition, item: AttributeMap): ItemKey {
  for (const name of keyNames(table.key)) {
    const value = attributeOf(item, name);
    if (!value) throw invalidParameter(`Missing the key ${name} in the item`);
    if (typeOf(value) !== table.types[name]) {
      throw invalidParameter(`Type mismatch for key ${name} expected: ${table.types[name]} actual: ${typeOf(value)}`);
    }
    assertNotEmpty(value, name);
  }
  return { attributes: keyAttributes(table.key, item), ...keyBytes(table.key, item) };
}

export function assertNotEmpty(value: AttributeValue, name: string): void {
  if (isEmptyKey(value)) throw new EmptyKeyError(`${emptyKeyText(value)} Key: ${name}`);
}

const emptyKeyText = (value: AttributeValue) =>
  `The AttributeValue for a key attribute cannot contain an empty ${'S' in value ? 'string' : 'binary'} value.`;

const isEmptyKey = (value: AttributeValue) => ('S' in value && value.S === '') || ('B' in value && value.B === '');

function keyBytes(schema: KeySchema, item: AttributeMap): KeyBytes {
  const hash = sortBytes(item[schema.hash]!);
  if (hash.length > MAX_HASH_BYTES) {
    throw invalidParameter(`Size of hashkey has exceeded the maximum size limit of${MAX_HASH_BYTES} bytes`);
  }
  if (schema.range === undefined) return { hash, range: NO_RANGE };
  const range = sortBytes(item[schema.range]!);
  if (range.length > MAX_RANGE_BYTES) {
    throw invalidParameter(`Aggregated size of all range keys has exceeded the size limit of ${MAX_RANGE_BYTES} bytes`);
  }
  return { hash, range };
}

/** The key of the item in the index. Undefined if the item lacks an index key: a sparse index does not contain it. */
export function indexKeyOf(table: TableDefinition, index: IndexDefinition, item: AttributeMap): KeyBytes | undefined {
  const names = keyNames(index.key);
  for (const name of names) {
    const value = attributeOf(item, name);
    if (value) assertIndexKey(table.types[name]!, index.name, name, value);
  }
  return names.every((name) => attributeOf(item, name)) ? keyBytes(index.key, item) : undefined;
}

function assertIndexKey(type: KeyType, index: string, name: string, value: AttributeValue): void {
  if (typeOf(value) !== type) {
    throw invalidParameter(
      `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index}`,
    );
  }
  if (isEmptyKey(value)) {
    throw new EmptyKeyError(
      `A value specified for a secondary index key is not supported. ${emptyKeyText(value)} IndexName: ${index}, IndexKey: ${name}`,
    );
  }
}

/** AWS says this of an update in other words than of a put, and does not name the index. */
export function assertIndexKeysNotEmptied(table: TableDefinition, item: AttributeMap): void {
  for (const name of table.indexes.flatMap((index) => keyNames(index.key))) {
    const value = attributeOf(item, name);
    if (value && typeOf(value) === table.types[name] && isEmptyKey(value)) {
      throw new EmptyKeyError(
        `The update expression attempted to update a secondary index key to a value that is not supported. ${emptyKeyText(value)}`,
      );
    }
  }
}

export function assertIndexKeys(table: TableDefinition, item: AttributeMap): void {
  for (const index of table.indexes) indexKeyOf(table, index, item);
}
