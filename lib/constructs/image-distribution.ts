import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  HttpVersion,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { imagePlaces, publicImages } from '#schemas/catalogues/image-places.ts';
import { accountWideName } from './account-wide-name.ts';

/**
 * The public images, cached near their viewers. It is not part of the API's distribution: that one depends on the
 * functions, and the function that returns image URLs depends on this one. It also keeps merchants' uploads off the
 * API's domain.
 */
export class ImageDistribution extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { bucket }: { readonly bucket: Bucket }) {
    super(scope, id);
    const behavior = this.behavior(bucket);
    const distribution = new Distribution(this, 'Distribution', {
      defaultBehavior: behavior,
      additionalBehaviors: { [publicImages.pathPattern]: behavior },
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
    });
    this.url = `https://${distribution.distributionDomainName}`;
    allowReading(bucket, distribution);
    acknowledgeFindings(distribution);
  }

  private behavior(bucket: Bucket): BehaviorOptions {
    const { originAccessControlId } = new S3OriginAccessControl(this, 'Access', {
      originAccessControlName: accountWideName(this, 'images'),
    });
    return {
      // Not withOriginAccessControl, because that lets the distribution read the private images too.
      origin: S3BucketOrigin.withBucketDefaults(bucket as IBucket, {
        originPath: publicImages.originPath,
        originAccessControlId,
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.headers(),
      compress: false, // images are compressed already
    };
  }

  /** A browser trusts the type of an image and runs no script in it, even if the image is opened as a page. */
  private headers(): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: accountWideName(this, 'images'),
      securityHeadersBehavior: {
        contentTypeOptions: { override: true },
        contentSecurityPolicy: { contentSecurityPolicy: "default-src 'none'; sandbox", override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
      },
    });
  }
}

function allowReading(bucket: Bucket, distribution: Distribution): void {
  const arn = Stack.of(distribution).formatArn({
    service: 'cloudfront',
    region: '',
    resource: 'distribution',
    resourceName: distribution.distributionId,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects(`${imagePlaces.public}*`)],
      conditions: { StringEquals: { 'AWS:SourceArn': arn } },
    }),
  );
}

function acknowledgeFindings(distribution: Distribution): void {
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Customers read their mail everywhere; no country is excluded.' },
    {
      id: 'AwsSolutions-CFR2',
      reason: 'It answers GET from a cache of files that are public anyway; there is nothing for a web ACL to protect.',
    },
    { id: 'AwsSolutions-CFR3', reason: 'The log would keep who looked at which image from which address.' },
    {
      id: 'AwsSolutions-CFR4',
      reason: 'Without a domain of one’s own there is only CloudFront’s certificate, which allows older TLS.',
    },
  );
}
