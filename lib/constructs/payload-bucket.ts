import { Duration, Validations } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { disclosurePrefix } from '#schemas/catalogues/disclosures.ts';
import { deliveryLimits, privacyLimits } from '#schemas/catalogues/limits.ts';
import { ServiceBucket } from './service-bucket.ts';

/** Delivery bodies that are too big for an item of the table. They expire with their deliveries. */
export class PayloadBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new ServiceBucket(this, 'Bucket', {
      // A day longer than the table keeps a delivery, also one that was sent again on its last day.
      lifecycleRules: [
        { prefix: disclosurePrefix, expiration: Duration.days(privacyLimits.downloadDays) },
        {
          expiration: Duration.days(deliveryLimits.days + deliveryLimits.runDays + 1),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only functions of this stack can reach the objects, and every delivery has its attempt log.',
    });
  }
}
