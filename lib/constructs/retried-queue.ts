import { Duration } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { retriedQueueLimits } from '#schemas/catalogues/limits.ts';
import { ServiceQueue } from './service-queue.ts';

/**
 * A queue whose messages wait until an outage of ours is over. Its function decides what becomes of a message that fails
 * (functions/platform/failed-messages.ts). The redrive policy is only the backstop.
 */
export class RetriedQueue extends ServiceQueue {
  readonly failures: Queue;

  /** @param failures where messages go that can never be handled */
  constructor(scope: Construct, id: string, failures: Queue) {
    super(scope, id, {
      // More than six times the timeout of every function, as AWS recommends: a message must not return while its batch
      // is still processed.
      visibilityTimeout: Duration.seconds(retriedQueueLimits.visibilitySeconds),
      deadLetterQueue: { queue: failures, maxReceiveCount: retriedQueueLimits.receives },
    });
    this.failures = failures;
  }
}
