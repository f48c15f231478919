import { account, region } from '../template/physical-names.ts';
import type { Access } from './evaluate.ts';

/** The name of the partition key of a table, or of one of its indexes. */
export type PartitionKey = (table: string, index?: string) => string | undefined;

type Attributes = Record<string, Record<string, unknown>>;

interface ItemRequest {
  TableName?: string;
  Key?: Attributes;
  Item?: Attributes;
  ReturnValues?: string;
}

interface QueryRequest {
  TableName?: string;
  IndexName?: string;
  Select?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
}

type Transaction = Record<string, ItemRequest>;

const leadingKeysName = 'dynamodb:leadingkeys';

const transactionActions: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** The permissions that a DynamoDB request needs. */
export function dynamoDbAccesses(
  operation: string,
  body: Record<string, unknown>,
  partitionKey: PartitionKey,
): Access[] {
  switch (operation) {
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return batchAccesses(operation, (body.RequestItems ?? {}) as Record<string, unknown>, partitionKey);
    case 'TransactWriteItems':
    case 'TransactGetItems':
      return transactAccesses((body.TransactItems ?? []) as Transaction[], operation, partitionKey);
    case 'Query':
    case 'Scan':
      return [readAccess(operation, body as QueryRequest, partitionKey)];
    case 'ListTables':
    case 'DescribeLimits':
    case 'DescribeEndpoints':
      return [{ action: `dynamodb:${operation}`, resource: '*', context: {} }];
    default:
      return [itemAccess(operation, body as ItemRequest, partitionKey)];
  }
}

function itemAccess(operation: string, request: ItemRequest, partitionKey: PartitionKey): Access {
  const table = request.TableName ?? '';
  const context = leadingKeys([request.Key ?? request.Item], partitionKey(tableName(table)));
  if (request.ReturnValues) context['dynamodb:returnvalues'] = [request.ReturnValues];
  return { action: `dynamodb:${operation}`, resource: tableArn(table), context };
}

/**
 * AWS says that each action of a transaction needs the permission of its single operation, and says nowhere whether
 * `dynamodb:LeadingKeys` then holds the key of the item or all keys of the request, as it does in a batch:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html. So a transaction needs here
 * what it needs under both readings, and whatever runs here is allowed there.
 */
function transactAccesses(items: readonly Transaction[], operation: string, partitionKey: PartitionKey): Access[] {
  const own = items.flatMap((item) => transactAccess(item, operation, partitionKey));
  return [...own, ...withAllKeys(own)];
}

function transactAccess(item: Transaction, operation: string, partitionKey: PartitionKey): Access[] {
  return Object.entries(item).map(([kind, request]) => {
    const access = itemAccess(transactionActions[kind] ?? kind, request, partitionKey);
    return { ...access, context: { ...access.context, 'dynamodb:enclosingoperation': [operation] } };
  });
}

/** Each action once for each table, with all keys that the request has there. None if all items have one key. */
function withAllKeys(own: readonly Access[]): Access[] {
  const tables = [...Map.groupBy(own, ({ resource }) => resource).values()];
  return tables.flatMap((accesses) => {
    const keys = [...new Set(accesses.flatMap(({ context }) => context[leadingKeysName] ?? []))];
    if (keys.length < 2) return [];
    const actions = new Map(accesses.map((access) => [access.action, access]));
    return [...actions.values()].map((one) => ({ ...one, context: { ...one.context, [leadingKeysName]: keys } }));
  });
}

function batchAccesses(operation: string, tables: Record<string, unknown>, partitionKey: PartitionKey): Access[] {
  return Object.entries(tables).map(([table, request]) => ({
    action: `dynamodb:${operation}`,
    resource: tableArn(table),
    context: leadingKeys(batchKeys(request), partitionKey(tableName(table))),
  }));
}

function batchKeys(request: unknown): (Attributes | undefined)[] {
  if (!Array.isArray(request)) return (request as { Keys?: Attributes[] }).Keys ?? [];
  return request.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key);
}

function readAccess(operation: string, request: QueryRequest, partitionKey: PartitionKey): Access {
  const table = request.TableName ?? '';
  const { IndexName: index } = request;
  const key = partitionKey(tableName(table), index);
  const value = key === undefined ? undefined : keyConditionValue(request, key);
  const context: Record<string, string[]> = value === undefined ? {} : { [leadingKeysName]: [value] };
  if (request.Select) context['dynamodb:select'] = [request.Select];
  return { action: `dynamodb:${operation}`, resource: tableArn(table) + (index ? `/index/${index}` : ''), context };
}

/** The name may be on either side. */
const comparison = /(#?[A-Za-z0-9_.-]+)\s*=\s*(:[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)\s*=\s*(#?[A-Za-z0-9_.-]+)/g;

/** The value that a key condition compares with the partition key. */
function keyConditionValue(request: QueryRequest, key: string): string | undefined {
  for (const match of (request.KeyConditionExpression ?? '').matchAll(comparison)) {
    const attribute = match[1] ?? match[4] ?? '';
    const placeholder = match[2] ?? match[3] ?? '';
    if ((request.ExpressionAttributeNames?.[attribute] ?? attribute) === key) {
      return scalar(request.ExpressionAttributeValues?.[placeholder]);
    }
  }
  return undefined;
}

function leadingKeys(items: (Attributes | undefined)[], key: string | undefined): Record<string, string[]> {
  if (key === undefined) return {};
  const values = items.map((item) => scalar(item?.[key])).filter((value) => value !== undefined);
  return values.length === 0 ? {} : { [leadingKeysName]: [...new Set(values)] };
}

function scalar(value: Record<string, unknown> | undefined): string | undefined {
  const inner = value?.S ?? value?.N ?? value?.B;
  return typeof inner === 'string' ? inner : undefined;
}

function tableName(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split('/')[1] ?? nameOrArn) : nameOrArn;
}

function tableArn(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : `arn:aws:dynamodb:${region}:${account}:table/${nameOrArn}`;
}
