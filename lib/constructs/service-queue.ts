import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** The base of every queue: encrypted, TLS only, and with the longest retention of SQS. */
export class ServiceQueue extends Queue {
  constructor(scope: Construct, id: string, props: QueueProps = {}) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      ...props,
    });
  }
}
