import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';

/** Of a function that has just begun. */
export const context = { getRemainingTimeInMillis: () => 60_000 } as Context;

export interface MessageOptions {
  ageSeconds?: number;
  receives?: number;
  /** The message group: for most queues the shop. */
  group?: string;
}

/** A message as Lambda hands it to a function. */
export function queuedMessage(messageId: string, body: object | string, options: MessageOptions = {}): SQSRecord {
  const { ageSeconds = 0, receives = 1, group } = options;
  const attributes = {
    SentTimestamp: String(Date.now() - ageSeconds * 1000),
    ApproximateReceiveCount: String(receives),
    ...(group !== undefined && { MessageGroupId: group }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fields = {
    messageId,
    body: text,
    attributes,
    receiptHandle: `receipt of ${messageId}`,
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:queue',
  };
  return fields as SQSRecord;
}

/** Messages `m0`, `m1`, … as a function receives them. */
export const batchOf = (bodies: readonly (object | string)[], options?: MessageOptions): SQSEvent => ({
  Records: bodies.map((body, i) => queuedMessage(`m${i}`, body, options)),
});
