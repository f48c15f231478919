import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { deliveryIn, parseMessage } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { handler as handlerWithContext } from '#pipeline/fan-out/handler.ts';

const context = { getRemainingTimeInMillis: () => 60_000 } as Context;

/** Fan-out with as much time as it has on Lambda. */
export function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse>;
export function handler(event: SQSEvent): Promise<SQSBatchResponse>;
export function handler(event: DynamoDBStreamEvent | SQSEvent) {
  return handlerWithContext(event as never, context);
}

/** The delivery that a message of fan-out tells of. */
export function deliveryInMessage(body: string): Delivery {
  const message = parseMessage(body)!;
  return deliveryIn(message, message.first!);
}
