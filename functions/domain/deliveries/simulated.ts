import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Action } from '#platform/table/writes.ts';

/**
 * The part of a transaction that lets nothing be made for a simulation that is removed: its events may still be on their
 * way then. Empty if nothing is simulated.
 */
export const whileSimulated = (made: { shop_slug: string; simulation_id?: string | undefined }): Action[] =>
  made.simulation_id === undefined
    ? []
    : [
        {
          ConditionCheck: {
            TableName: tableName(),
            Key: keyOf.simulation(made.shop_slug, made.simulation_id),
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(removed_at)',
          },
        },
      ];
