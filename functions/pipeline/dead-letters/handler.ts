import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { deliveryIn, parseMessage, type QueuedDelivery } from '#domain/deliveries/delivery-messages.ts';
import { type DeliveryStatus, isSuccess, loggedAttempt, withoutTexts } from '#domain/deliveries/delivery-rules.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import { isErasedEvent } from '#domain/deliveries/erased-payload.ts';
import { causeInMessage, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { handleEach } from '#platform/message-batch.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { isRefused, tryCommit } from '#platform/table/writes.ts';
import { RecordFault } from '#platform/verdicts.ts';

/**
 * Records the deliveries that the queue gave up on as failed, so that the merchant sees them and can send them again. A
 * letter that it cannot read stays in its queue, for an operator or for a version that can.
 */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const recorded = new Set<string>();
  const { response, failures } = await handleEach(event, async (letter) => {
    const message = parseMessage(letter.body);
    if (!message) throw new RecordFault('Malformed');
    // A dead letter keeps the time at which its message was put on the delivery queue.
    const sentAt = new Date(Number(letter.attributes.SentTimestamp));
    if (await markFailed(message, sentAt, new Date())) recorded.add(letter.messageId);
  });
  logger.warn('dead letters', {
    letters: event.Records.map(({ messageId, body }) => ({
      message_id: messageId,
      delivery_id: parseMessage(body)?.delivery_id,
      recorded: recorded.has(messageId),
      error: failures.get(messageId),
      correlation_ids: correlationIds([causeInMessage({ body })]),
    })),
  });
  return response;
}

/**
 * Returns false if there is nothing to end: the delivery has already ended, is parked for its target, no longer exists,
 * or has another message, of a later retry or of a new run.
 */
export async function markFailed(letter: QueuedDelivery, sentAt: Date, now: Date): Promise<boolean> {
  const message = await withoutErased(letter);
  return (await writeFailed(message, now)) || (await endPending(message, sentAt, now));
}

/** Of a delivery of which nothing is written: no worker got as far as the end of its first attempt. */
async function writeFailed(message: QueuedDelivery, now: Date): Promise<boolean> {
  const { first, retry } = message;
  // A worker that recorded nothing of the delivery but sent a retry leaves its own message, which decides.
  if (!first || retry) return false;
  const { status, attempts } = endOf(message);
  const attempt_count = attempts.length;
  const updated_at = now.toISOString();
  try {
    return await createDelivery({ ...deliveryIn(message, first), status, attempt_count, attempts, updated_at });
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

/** What the message knows of its attempt may name somebody whose order was erased since. */
async function withoutErased(message: QueuedDelivery): Promise<QueuedDelivery> {
  const { ended, shop_slug, payload_id } = message;
  if (!ended || !(await isErasedEvent(shop_slug, payload_id))) return message;
  return { ...message, ended: withoutTexts(ended) };
}

/** An attempt that was made but not recorded may have succeeded. */
function endOf({ ended }: QueuedDelivery) {
  const status: DeliveryStatus = ended && isSuccess(ended) ? 'delivered' : 'failed';
  return { status, attempts: ended ? [loggedAttempt(ended)] : [] };
}

async function endPending(message: QueuedDelivery, sentAt: Date, now: Date): Promise<boolean> {
  const { shop_slug, target, delivery_id, retry, ended } = message;
  const { status, attempts } = endOf(message);
  // The message of a failed attempt is sent again until it is recorded, so only the attempt tells of which run it is.
  const madeAt = status === 'failed' && ended ? ended.at : sentAt.toISOString();
  const isCurrent = retry ? 'retry_id = :retry' : 'attribute_not_exists(retry_id)';
  const Update = {
    TableName: tableName(),
    Key: keyOf.delivery(shop_slug, target, delivery_id),
    UpdateExpression:
      'SET #status = :status, updated_at = :now, attempts = list_append(attempts, :attempts), attempt_count = attempt_count + :made',
    ConditionExpression: `#status = :pending AND ${isCurrent} AND (attribute_not_exists(run_since) OR run_since <= :sent)`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': status,
      ':attempts': attempts,
      ':made': attempts.length,
      ':pending': 'pending' satisfies DeliveryStatus,
      ':sent': madeAt,
      ':now': now.toISOString(),
      ...(retry && { ':retry': retry.id }),
    },
  };
  return tryCommit([{ Update }]);
}
