import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

/**
 * Encrypts merchants' integration keys and webhook secrets. It is our own key, so permission to read the table does not
 * include permission to read a credential.
 */
export class CredentialsKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the credentials that merchants store with the post-purchase service',
      enableKeyRotation: true,
      // A key cannot become one of several regions later. Alone it costs the same.
      multiRegion: true,
      // Without the key every stored credential is lost, so it is kept like the table, with the longest time to notice
      // a deletion.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      pendingWindow: Duration.days(30),
    });
  }
}
