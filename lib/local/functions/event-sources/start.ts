import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { templateTables } from '../../dynamodb/deploy-tables.ts';
import type { Emulators } from '../../emulators.ts';
import { sdkQueueReader } from '../../queues/queue-reader.ts';
import type { FunctionPool } from '../function-pool.ts';
import { openCheckpoint } from './checkpoint.ts';
import type { EventSource } from './event-source.ts';
import { isQueue, type Mapping, readMappings } from './mapping.ts';
import { startQueueSource } from './sqs.ts';
import { startStreamSource } from './stream.ts';

/** Starts all event source mappings of the template, or none. */
export async function startEventSources(
  { stack, clients, streams, tableChanged, ownQueue }: Emulators,
  pools: ReadonlyMap<string, FunctionPool>,
  dataDir: string | undefined,
  log: (line: string) => void,
): Promise<EventSource[]> {
  const { dynamodb, sqs, s3 } = clients;
  const mappings = readMappings(stack, pools);
  const streamArns = new Map<Mapping, string>();
  for (const mapping of mappings) {
    if (!isQueue(mapping.sourceArn)) streamArns.set(mapping, await streamArnOf(stack, dynamodb, mapping));
  }
  return mappings.map((mapping) => {
    const streamArn = streamArns.get(mapping);
    if (streamArn === undefined) {
      const queue = ownQueue?.(mapping.sourceArn) ?? sdkQueueReader(sqs, mapping.sourceArn);
      return startQueueSource(mapping, queue, log);
    }
    const checkpoint = openCheckpoint(mapping.logicalId, streamArn, dataDir);
    return startStreamSource({ mapping, streamArn, streams, tableChanged, sqs, s3, checkpoint, log });
  });
}

/** The emulator chooses the label of its stream, so the template's stream ARN does not have it. */
async function streamArnOf(stack: Emulators['stack'], client: DynamoDBClient, mapping: Mapping): Promise<string> {
  const { sourceArn, logicalId } = mapping;
  const table = templateTables(stack).find(({ arn }) => sourceArn.startsWith(`${arn}/stream/`));
  if (!table)
    throw new Error(`${logicalId} reads ${sourceArn}, but this is not the stream of a table in the template.`);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table.ref }));
  if (!Table?.LatestStreamArn) throw new Error(`${logicalId}: the table ${table.logicalId} has no stream.`);
  return Table.LatestStreamArn;
}
