import { Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * For what is named once in an account and not in each region, such as everything of CloudFront. CloudFormation makes up
 * no names there, and those of the CDK are the same for a stack in another region.
 */
export const accountWideName = (scope: Construct, name: string): string =>
  `${Stack.of(scope).stackName}-${name}-${Aws.REGION}`;
