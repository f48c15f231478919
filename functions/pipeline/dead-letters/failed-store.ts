import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryMessage, DeliveryStatus } from '#domain/deliveries/model.ts';
import { table, tableName } from '#platform/table/client.ts';
import { ConditionLost, write } from '#platform/table/conditional-writes.ts';
import { keyOf } from '#platform/table/keys.ts';

/**
 * False where there is nothing to end: it has ended otherwise, waits for its target, is gone, or was sent again after
 * this message: then the new run has a message of its own.
 */
export async function markFailed(message: DeliveryMessage, sentAt: Date, now: Date): Promise<boolean> {
  const { shop_slug, target, delivery_id } = message;
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: keyOf.delivery(shop_slug, target, delivery_id),
    UpdateExpression: 'SET #status = :failed, updated_at = :now',
    ConditionExpression: '#status = :pending AND (attribute_not_exists(run_since) OR run_since <= :sent)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':failed': 'failed' satisfies DeliveryStatus,
      ':pending': 'pending' satisfies DeliveryStatus,
      ':sent': sentAt.toISOString(),
      ':now': now.toISOString(),
    },
  });
  try {
    await write(() => table.send(update));
    return true;
  } catch (error) {
    if (error instanceof ConditionLost && error.positions.length > 0) return false;
    throw error;
  }
}
