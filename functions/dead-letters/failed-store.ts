import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ConditionLost, write } from '#shared/conditional-writes.ts';
import type { DeliveryMessage, DeliveryStatus } from '#shared/deliveries/model.ts';
import { keyOf } from '#shared/keys.ts';
import { table, tableName } from '#shared/table.ts';

/** False where there is nothing to end: it has ended otherwise, waits for its target, or is gone. */
export async function markFailed({ shop_slug, target, delivery_id }: DeliveryMessage, now: Date): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: keyOf.delivery(shop_slug, target, delivery_id),
    UpdateExpression: 'SET #status = :failed, updated_at = :now',
    ConditionExpression: '#status = :pending',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':failed': 'failed' satisfies DeliveryStatus,
      ':pending': 'pending' satisfies DeliveryStatus,
      ':now': now.toISOString(),
    },
  });
  try {
    await write(() => table.send(update));
    return true;
  } catch (error) {
    if (error instanceof ConditionLost) return false;
    throw error;
  }
}
