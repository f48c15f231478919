import { Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { errorBody } from '#schemas/catalogues/errors.ts';
import { patternsOfStrangers } from '../anonymous-paths.ts';

const refusal = 'RateLimited';

/** In which requests are counted, and so after which an address is let through again. */
const windowSeconds = 300;

/**
 * Refuses an address that asks for too many pages, logins, docs or health checks. Merchants, their systems and tracking providers
 * send much from few addresses, so it does not count what they ask for.
 */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { requestsPerFiveMinutes }: { readonly requestsPerFiveMinutes: number }) {
    super(scope, id);
    const metricName = `${Stack.of(this).stackName}-${id}`;
    const visibilityConfig = { cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: false };
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig,
      customResponseBodies: {
        [refusal]: { contentType: 'APPLICATION_JSON', content: JSON.stringify(errorBody('rate_limited')) },
      },
      rules: [
        {
          name: 'StrangersByAddress',
          priority: 0,
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: refusal,
                // AWS sends only the headers that are named, and the body tells to look at this one.
                responseHeaders: [{ name: 'Retry-After', value: String(windowSeconds) }],
              },
            },
          },
          statement: {
            rateBasedStatement: {
              limit: requestsPerFiveMinutes,
              evaluationWindowSec: windowSeconds,
              aggregateKeyType: 'IP',
              scopeDownStatement: { orStatement: { statements: patternsOfStrangers().map(matches) } },
            },
          },
          visibilityConfig: { ...visibilityConfig, metricName: `${metricName}-StrangersByAddress` },
        },
      ],
    });
    this.arn = acl.attrArn;
  }
}

const matches = (pattern: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: pattern.endsWith('*') ? 'STARTS_WITH' : 'EXACTLY',
    searchString: pattern.split('*')[0]!,
    textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
  },
});
