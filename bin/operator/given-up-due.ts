import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mapConcurrently } from '#platform/batches.ts';
import { type DueItem, duePlace } from '#platform/table/due-item.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { shardsOf } from '#platform/table/shards.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';
import { type GivenUp, maxListed, Progress, type Run } from './failure.ts';

/** What was planned for a time, such as delayed automations and internal triggers, and was given up. It is in the table. */

/** The name by which the commands know it. */
export const dueName = 'due';

interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

export async function listGivenUpDue(table: Table, run: Run): Promise<GivenUp[]> {
  const found: GivenUp[] = [];
  for await (const items of pagesOf(table, run)) {
    found.push(
      ...items.map(({ given_up_at: since, kind, reason }) => ({
        queue: dueName,
        since,
        reason: `${reason} (${kind})`,
        records: 1,
      })),
    );
    if (found.length < maxListed) continue;
    run.say(`${dueName}: ${maxListed} are listed. There may be more.`);
    return found.slice(0, maxListed);
  }
  return found;
}

const maxConcurrentWrites = 20;

/** Puts back what was given up. The function that processes what is due finds it within a minute. @returns how much */
export async function replayGivenUpDue(table: Table, run: Run): Promise<number> {
  const progress = new Progress(dueName, run.say);
  const now = new Date(run.start);
  const putBack = async (item: GivenUpDueItem): Promise<void> => {
    if (run.signal.aborted) return;
    if (await isWritten(table, putBackDue(table.name, item, now))) progress.add(1);
  };
  for await (const items of pagesOf(table, run)) await mapConcurrently(items, putBack, maxConcurrentWrites);
  return progress.count;
}

/** False if somebody else has changed the item, or has put it back. */
async function isWritten({ client }: Table, update: ReturnType<typeof putBackDue>): Promise<boolean> {
  try {
    await client.send(new UpdateCommand(update));
    return true;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

/** An item that was given up, as the index returns it. */
interface GivenUpDueItem extends Omit<DueItem, 'due_at'> {
  given_up_at: string;
  reason: string;
}

/** Puts an item back into the list that was given up, as one that never failed. Fails if somebody else changed it. */
function putBackDue(TableName: string, item: GivenUpDueItem, now: Date) {
  const { list_pk, list_sk } = duePlace(item, now.toISOString());
  return {
    TableName,
    Key: { pk: item.pk, sk: item.sk },
    UpdateExpression:
      'SET due_at = :now, list_pk = :list, list_sk = :now ' +
      'REMOVE given_up_at, reason, expires_at, attempts, waiting_since',
    ConditionExpression: 'given_up_at = :read',
    ExpressionAttributeValues: { ':read': item.given_up_at, ':now': list_sk, ':list': list_pk },
  };
}

const pageSize = 200;

/** What was given up before the start. */
async function* pagesOf({ client, name }: Table, { signal, start }: Run): AsyncGenerator<GivenUpDueItem[]> {
  for (const shard of shardsOf('due')) {
    const pages = paginateQuery(
      { client },
      {
        TableName: name,
        IndexName: 'lists' satisfies IndexName,
        KeyConditionExpression: 'list_pk = :shard AND list_sk <= :start',
        ExpressionAttributeValues: {
          ':shard': partitionOf.givenUpDue(shard),
          ':start': new Date(start).toISOString(),
        },
        Limit: pageSize,
      },
    );
    for await (const { Items = [] } of pages) {
      if (signal.aborted) return;
      yield Items as GivenUpDueItem[];
    }
  }
}
