import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type GlobalSecondaryIndexDescription,
  type KeySchemaElement,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { PartitionKey } from '../iam/dynamodb-request.ts';
import type { StackResource, StackTemplate } from '../template/template.ts';

interface TableProperties {
  KeySchema: KeySchemaElement[];
  AttributeDefinitions: NonNullable<CreateTableCommandInput['AttributeDefinitions']>;
  GlobalSecondaryIndexes?: GlobalSecondaryIndex[];
  StreamSpecification?: { StreamViewType: 'NEW_AND_OLD_IMAGES' };
  TimeToLiveSpecification?: { AttributeName?: string; Enabled: boolean };
}

const activeTimeoutMs = 30_000;

/** Table and GlobalTable (the CDK's TableV2) have the same properties for keys, indexes, stream and TTL. */
export function templateTables(stack: StackTemplate): StackResource[] {
  return stack.resources('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable');
}

/**
 * Creates the tables of the template. An existing table keeps its data and gets new indexes, stream and TTL. An index with
 * other keys or attributes is made anew, which CloudFormation would refuse: here nobody else reads it meanwhile.
 */
export async function deployTables(stack: StackTemplate, client: DynamoDBClient): Promise<void> {
  for (const table of templateTables(stack)) {
    const properties = table.properties as unknown as TableProperties;
    const existing = await describe(client, table.ref);
    if (existing) await update(client, table.ref, properties, existing);
    else await create(client, table.ref, properties);
    await setTimeToLive(client, table.ref, properties);
  }
}

export function partitionKeys(stack: StackTemplate): PartitionKey {
  const keys = new Map<string, string>();
  for (const { ref, properties } of templateTables(stack)) {
    const { KeySchema, GlobalSecondaryIndexes = [] } = properties as unknown as TableProperties;
    keys.set(ref, hashKey(KeySchema));
    for (const index of GlobalSecondaryIndexes) keys.set(`${ref}/${index.IndexName}`, hashKey(index.KeySchema));
  }
  return (table, index) => keys.get(index === undefined ? table : `${table}/${index}`);
}

function hashKey(schema: KeySchemaElement[] | undefined): string {
  return schema?.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
}

async function create(client: DynamoDBClient, TableName: string, properties: TableProperties): Promise<void> {
  const { GlobalSecondaryIndexes } = properties;
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: properties.KeySchema,
      AttributeDefinitions: properties.AttributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST',
      ...(GlobalSecondaryIndexes?.length ? { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(plainIndex) } : {}),
      ...streamOf(properties),
    }),
  );
  await untilActive(client, TableName);
}

async function update(
  client: DynamoDBClient,
  TableName: string,
  properties: TableProperties,
  existing: TableDescription,
): Promise<void> {
  const { AttributeDefinitions } = properties;
  const present = new Map(existing.GlobalSecondaryIndexes?.map((index) => [index.IndexName, index]));
  for (const index of properties.GlobalSecondaryIndexes ?? []) {
    const before = present.get(index.IndexName);
    if (before && isSameIndex(before, index)) continue;
    const { IndexName } = index;
    if (before) await updateIndex(client, { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });
    const GlobalSecondaryIndexUpdates = [{ Create: plainIndex(index) }];
    await updateIndex(client, { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates });
  }
  if (properties.StreamSpecification && !existing.StreamSpecification?.StreamEnabled) {
    await client.send(new UpdateTableCommand({ TableName, ...streamOf(properties) }));
    await untilActive(client, TableName);
  }
}

async function updateIndex(
  client: DynamoDBClient,
  input: UpdateTableCommandInput & { TableName: string },
): Promise<void> {
  await client.send(new UpdateTableCommand(input));
  await untilActive(client, input.TableName);
}

function isSameIndex(a: GlobalSecondaryIndexDescription, b: GlobalSecondaryIndex): boolean {
  const [one, other] = [a, b].map(({ KeySchema, Projection }) => ({
    KeySchema,
    type: Projection?.ProjectionType,
    attributes: Projection?.NonKeyAttributes?.toSorted() ?? [],
  }));
  return isDeepStrictEqual(one, other);
}

function plainIndex({ IndexName, KeySchema, Projection }: GlobalSecondaryIndex): GlobalSecondaryIndex {
  return { IndexName, KeySchema, Projection };
}

function streamOf({ StreamSpecification }: TableProperties): Pick<CreateTableCommandInput, 'StreamSpecification'> {
  return StreamSpecification ? { StreamSpecification: { ...StreamSpecification, StreamEnabled: true } } : {};
}

async function setTimeToLive(client: DynamoDBClient, TableName: string, properties: TableProperties): Promise<void> {
  const { AttributeName, Enabled } = properties.TimeToLiveSpecification ?? {};
  if (!AttributeName || !Enabled) return;
  const { TimeToLiveDescription: current } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (current?.TimeToLiveStatus === 'ENABLED' && current.AttributeName === AttributeName) return;
  await client.send(
    new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName, Enabled: true } }),
  );
}

async function describe(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function untilActive(client: DynamoDBClient, TableName: string): Promise<void> {
  for (const end = Date.now() + activeTimeoutMs; Date.now() < end; await delay(100)) {
    const table = await describe(client, TableName);
    const indexes = table?.GlobalSecondaryIndexes ?? [];
    const states = [table?.TableStatus, ...indexes.map(({ IndexStatus }) => IndexStatus ?? 'ACTIVE')];
    if (states.every((state) => state === 'ACTIVE')) return;
  }
  throw new Error(`The table ${TableName} did not become active within ${activeTimeoutMs / 1000} s.`);
}
