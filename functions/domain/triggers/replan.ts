import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Due, type DueItem, dueItem } from '#domain/due/due-item.ts';
import type { Key } from '#platform/table/batch-get.ts';
import { table, tableName } from '#platform/table/client.ts';
import { write } from '#platform/table/conditional-writes.ts';
import { keyOf } from '#platform/table/keys.ts';

export type Cursor = Key & { activity_pk: string; activity_sk: string };

/** A shop's triggers have changed: its shipments are planned anew, some at a time. */
export interface Replan extends Due {
  kind: 'trigger_replan';
  /** When the triggers changed: what was due before does not fire. */
  since: string;
  /** The next shipments stand behind this place of their list; absent at first. */
  cursor?: Cursor | undefined;
}

export type ReplanItem = Replan & DueItem;

export const replanItem = (replan: Omit<Replan, 'kind'>): ReplanItem =>
  dueItem(keyOf.dueReplan(replan.shop_slug), { kind: 'trigger_replan', ...replan });

/** Begins from the newest shipment again where it is under way. */
export function askToReplan(slug: string, now: Date): Promise<void> {
  const at = now.toISOString();
  const Item = replanItem({ shop_slug: slug, due_at: at, since: at });
  return write(() => table.send(new PutCommand({ TableName: tableName(), Item })));
}
