import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** How long one batch of deliveries may take: the timeout of the function that reads the queue. */
export const deliveryTimeout = Duration.seconds(60);

/** Attempts of one delivery before it is a dead letter. */
export const deliveryAttempts = 15;

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
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // Six timeouts, as AWS advises: a message must not come back while its batch is still being retried.
      visibilityTimeout: Duration.seconds(6 * deliveryTimeout.toSeconds()),
      // The longest there is: a delivery that backs off for days must not expire before its last attempt.
      retentionPeriod: Duration.days(14),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: deliveryAttempts },
    });
  }
}
