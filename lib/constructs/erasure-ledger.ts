import { Validations } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ServiceBucket } from './service-bucket.ts';

/**
 * What was erased, without anything personal, so that it can be erased again from a table that was restored from a backup.
 * It lies outside the table, and nothing in it ever expires.
 */
export class ErasureLedger extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new ServiceBucket(this, 'Bucket', { versioned: true });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'One function writes the objects, an operator reads them, and versions show every change.',
    });
  }
}
