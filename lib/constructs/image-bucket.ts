import { Duration, Validations } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ServiceBucket } from './service-bucket.ts';

/**
 * Images that merchants and their customers upload. A distribution reads the public ones. The others need a signed URL.
 */
export class ImageBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new ServiceBucket(this, 'Bucket', {
      versioned: true,
      lifecycleRules: [
        {
          // A deletion can be undone for a month. After that a deleted image of a person must be gone.
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'S3 access logs would keep viewers’ addresses and the signed URLs of private images. Uploads are in the log of ' +
        'the API; who needs a trail of reads turns on CloudTrail data events for the bucket.',
    });
  }
}
