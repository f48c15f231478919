import { Duration } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import { ServiceQueue } from './service-queue.ts';

/** The timeout of the function that sends deliveries: the maximum time of one batch. */
export const deliveryTimeout = Duration.seconds(deliveryLimits.batchSeconds);

/** The timeout of the function that records dead letters. */
export const deadLettersTimeout = Duration.seconds(30);

/**
 * Deliveries that wait to be sent. A standard queue: message groups make it fair between endpoints, without the
 * ordering and the throughput limits of FIFO.
 */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // Its redrive allow policy is open to all queues of this account. Naming the queue below would make a dependency
    // cycle, which only a physical name could break.
    this.deadLetters = new ServiceQueue(this, 'DeadLetters', {
      visibilityTimeout: Duration.seconds(6 * deadLettersTimeout.toSeconds()),
    });
    this.queue = new ServiceQueue(this, 'Queue', {
      visibilityTimeout: Duration.seconds(deliveryLimits.visibilitySeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: deliveryLimits.receives },
    });
  }
}
