import {
  type IndexDefinition,
  type KeySchema,
  type KeyType,
  keyNames,
  type ProjectionType,
  type StreamViewType,
  type TableDefinition,
} from '../definitions.ts';
import { invalidParameter, validation } from '../errors.ts';
import {
  choice,
  constraint,
  flag,
  missing,
  optionalInteger,
  optionalObject,
  optionalObjects,
  optionalText,
  type Request,
  requiredObject,
  requiredText,
} from '../request.ts';
import { isObject } from '../values.ts';

const MAX_INDEXES = 20;
const VIEW_TYPES = ['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY'] as const;

export function readTypes(request: Request): Record<string, KeyType> {
  const types: Record<string, KeyType> = Object.create(null);
  for (const [index, definition] of optionalObjects(request, 'AttributeDefinitions').entries()) {
    const at = `attributeDefinitions.${index + 1}.member.attributeType`;
    const type = choice(definition, 'AttributeType', ['B', 'N', 'S'], at);
    if (!type) throw missing(at);
    const name = requiredText(definition, 'AttributeName');
    if (name in types) throw validation('Cannot have two attributes with the same name');
    types[name] = type;
  }
  return types;
}

export function readKeySchema(request: Request, at = ''): KeySchema {
  const elements = optionalObjects(request, 'KeySchema');
  for (const [index, element] of elements.entries()) {
    choice(element, 'KeyType', ['HASH', 'RANGE'], `${at}keySchema.${index + 1}.member.keyType`);
  }
  const [first, second] = elements;
  if (!first) throw constraint(`${at}keySchema`, '[]', 'Member must have length greater than or equal to 1');
  if (elements.length > 2) {
    throw constraint(
      `${at}keySchema`,
      `[${elements.map(describeElement).join(', ')}]`,
      'Member must have length less than or equal to 2',
    );
  }
  if (first.KeyType !== 'HASH')
    throw validation('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  if (second && second.KeyType !== 'RANGE') {
    throw validation('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  }
  const hash = requiredText(first, 'AttributeName');
  if (!second) return { hash };
  const range = requiredText(second, 'AttributeName');
  if (range === hash) throw validation('Invalid KeySchema: Some index key attribute have no definition');
  return { hash, range };
}

const describeElement = (element: Request) =>
  `KeySchemaElement(attributeName=${element.AttributeName}, keyType=${element.KeyType})`;

export function readIndex(request: Request, id: number): IndexDefinition {
  const name = requiredText(request, 'IndexName');
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name)) {
    throw constraint('indexName', name, 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
  const projection = requiredObject(request, 'Projection');
  const type: ProjectionType | undefined = choice(projection, 'ProjectionType', ['ALL', 'KEYS_ONLY', 'INCLUDE']);
  if (!type) throw invalidParameter('Unknown ProjectionType: null');
  const included = namesIn(projection.NonKeyAttributes);
  if (type === 'INCLUDE' && included.length === 0) {
    throw invalidParameter('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
  }
  if (type !== 'INCLUDE' && included.length > 0) {
    throw invalidParameter(`ProjectionType is ${type}, but NonKeyAttributes is specified`);
  }
  return { id, name, key: readKeySchema(request), projection: type, included };
}

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];

export function assertSchema(table: Pick<TableDefinition, 'key' | 'types' | 'indexes'>): void {
  const used = new Set([table.key, ...table.indexes.map((index) => index.key)].flatMap(keyNames));
  const defined = Object.keys(table.types);
  const absent = [...used].filter((name) => !defined.includes(name));
  if (absent.length > 0) {
    throw invalidParameter(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: [${absent.join(', ')}], AttributeDefinitions: [${defined.join(', ')}]`,
    );
  }
  if (defined.length > used.size) {
    throw invalidParameter(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  }
  const names = table.indexes.map((index) => index.name);
  const duplicate = names.find((name, position) => names.indexOf(name) !== position);
  if (duplicate) throw invalidParameter(`Duplicate index name: ${duplicate}`);
  if (names.length > MAX_INDEXES) {
    throw invalidParameter(`GlobalSecondaryIndex count exceeds the per-table limit of ${MAX_INDEXES}`);
  }
}

export function readBilling(request: Request): TableDefinition['billing'] {
  const mode = choice(request, 'BillingMode', ['PROVISIONED', 'PAY_PER_REQUEST']) ?? 'PROVISIONED';
  const throughput = optionalObject(request, 'ProvisionedThroughput');
  if (mode === 'PAY_PER_REQUEST') {
    if (throughput) {
      throw invalidParameter(
        'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
      );
    }
    return { mode, read: 0, write: 0 };
  }
  if (!throughput)
    throw invalidParameter(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    );
  return { mode, read: units(throughput, 'ReadCapacityUnits'), write: units(throughput, 'WriteCapacityUnits') };
}

function units(throughput: Request, name: string): number {
  const at = `provisionedThroughput.${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const value = optionalInteger(throughput, name, 1, at);
  if (value === undefined) throw missing(at);
  return value;
}

/** The view type of the stream, null to stop the stream, or undefined for no change. */
export function readStreamSpecification(request: Request): StreamViewType | null | undefined {
  const specification = optionalObject(request, 'StreamSpecification');
  if (!specification) return undefined;
  const viewType = choice(specification, 'StreamViewType', VIEW_TYPES);
  if (!flag(specification, 'StreamEnabled')) {
    if (viewType) {
      throw validation('Invalid StreamViewType: Stream StreamEnabled was false but a StreamViewType was present.');
    }
    return null;
  }
  if (!viewType) throw invalidParameter('StreamViewType must be specified when StreamEnabled is true');
  return viewType;
}

export function readTags(request: Request): Record<string, string> {
  const tags = optionalObjects(request, 'Tags').filter(isObject);
  return Object.fromEntries(tags.map((tag) => [requiredText(tag, 'Key'), optionalText(tag, 'Value') ?? '']));
}
