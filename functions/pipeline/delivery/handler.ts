import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { isOpen, recordAbandoned, recordFailure, recordSuccess } from '#domain/deliveries/circuit-store.ts';
import { logger } from '#platform/logger.ts';
import { deliverBatch } from './deliver-batch.ts';
import { destinationOf } from './destination.ts';
import type { Ports } from './ports.ts';
import { createPost } from './post.ts';
import { hide } from './visibility.ts';

/** Deliveries from their queue to merchants' systems. */
export const handler = deliverThrough({
  post: createPost(),
  destinationOf,
  circuit: { isOpen, recordAbandoned, recordSuccess, recordFailure },
  hide,
  now: () => new Date(),
  random: Math.random,
});

function deliverThrough(ports: Ports) {
  return async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const { again } = await deliverBatch(Records, ports, () => context.getRemainingTimeInMillis());
    const counts = { messages: Records.length, again: again.size };
    if (again.size === 0) logger.info('deliveries', counts);
    else logger.warn('deliveries', { ...counts, reasons: Object.fromEntries(again) });
    return { batchItemFailures: [...again.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}
