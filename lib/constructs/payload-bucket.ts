import { Duration, Validations } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import { ServiceBucket } from './service-bucket.ts';

/** Bodies of deliveries that are too big for an item of the table. They go when their deliveries do. */
export class PayloadBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new ServiceBucket(this, 'Bucket', {
      // A day longer than the table keeps a delivery: what can be sent again has its body.
      lifecycleRules: [
        { expiration: Duration.days(deliveryLimits.days + 1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only functions of this stack can reach the objects, and every delivery has its attempt log.',
    });
  }
}
