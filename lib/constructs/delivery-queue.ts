import { Duration } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ServiceQueue } from './service-queue.ts';

/** How long one batch of deliveries may take: the timeout of the function that reads the queue. */
export const deliveryTimeout = Duration.seconds(60);

/** The timeout of the function that records dead letters. */
export const deadLettersTimeout = Duration.seconds(30);

/** Attempts of one delivery before it is a dead letter. */
const deliveryAttempts = 15;

/**
 * Deliveries that wait to be sent. A standard queue: message groups make it fair between endpoints without the
 * ordering, and the throughput limits, of FIFO.
 */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // Its redrive allow policy stays open to this account's queues: naming the queue below would make a cycle that
    // only a physical name breaks.
    this.deadLetters = new ServiceQueue(this, 'DeadLetters', {
      visibilityTimeout: Duration.seconds(6 * deadLettersTimeout.toSeconds()),
    });
    this.queue = new ServiceQueue(this, 'Queue', {
      // Six timeouts, as AWS advises: a message must not come back while its batch is still being retried.
      visibilityTimeout: Duration.seconds(6 * deliveryTimeout.toSeconds()),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: deliveryAttempts },
    });
  }
}
