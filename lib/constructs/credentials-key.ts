import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

/**
 * Encrypts what merchants entrust to us: integration keys and webhook secrets. A key of our own, so that reading a
 * credential takes a right that reading the table does not give.
 */
export class CredentialsKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the credentials that merchants store with the post-purchase service',
      enableKeyRotation: true,
      // Without the key every stored credential is lost: keep it with the table, and give the longest time to notice.
      removalPolicy: RemovalPolicy.RETAIN,
      pendingWindow: Duration.days(30),
    });
  }
}
