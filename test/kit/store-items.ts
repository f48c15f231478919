import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import type { RunningService } from './service.ts';

/** Puts items into the table of a service, as if it had made them. */
export async function storeItems({ table, tableName }: RunningService, items: readonly object[]): Promise<void> {
  await mapConcurrently(
    chunks(items, 25),
    (part) => {
      const writes = part.map((Item) => ({ PutRequest: { Item: Item as Record<string, unknown> } }));
      return table.send(new BatchWriteCommand({ RequestItems: { [tableName]: writes } }));
    },
    4,
  );
}
