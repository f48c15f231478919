import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { askAccount, stackState } from '#lib/deployment/account.ts';

const stacks = mockClient(CloudFormationClient);
const quotas = mockClient(ServiceQuotasClient);
const distributions = mockClient(CloudFrontClient);
const certificates = mockClient(ACMClient);
const mails = mockClient(SESv2Client);
const tables = mockClient(DynamoDBClient);

const named = (name: string, message = name) => Object.assign(new Error(message), { name });

beforeEach(() => {
  for (const client of [stacks, quotas, distributions, certificates, mails, tables]) client.reset();
  stacks.on(DescribeStacksCommand, { StackName: 'CDKToolkit' }).resolves({ Stacks: [stackOf('CREATE_COMPLETE')] });
  stacks
    .on(DescribeStacksCommand, { StackName: 'PostPurchase-prod' })
    .resolves({ Stacks: [stackOf('UPDATE_COMPLETE', { TableName: 'the-table' })] });
  quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 1000 } });
  distributions.on(ListDistributionsCommand).resolves({ DistributionList: undefined });
  tables
    .on(DescribeTableCommand, { TableName: 'the-table' })
    .resolves({ Table: { WarmThroughput: { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 12_000 } } });
});

const stackOf = (StackStatus: 'CREATE_COMPLETE' | 'UPDATE_COMPLETE', outputs: Record<string, string> = {}) => ({
  StackName: 'any',
  CreationTime: new Date(),
  StackStatus,
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
});

test('an account is asked for its stacks, quotas, distributions and table', async () => {
  expect(await askAccount({ stackName: 'PostPurchase-prod' })).toEqual({
    toolkit: { value: { status: 'CREATE_COMPLETE', outputs: {} } },
    stack: { value: { status: 'UPDATE_COMPLETE', outputs: { TableName: 'the-table' } } },
    quotas: {
      concurrency: { value: 1000 },
      gatewayRate: { value: 1000 },
      gatewayBurst: { value: 1000 },
      distributions: { value: 1000 },
    },
    distributions: { value: [] },
    warmThroughput: { value: { reads: 24_000, writes: 12_000 } },
  });
});

test('a stack that is not there is no fault', async () => {
  stacks.on(DescribeStacksCommand).rejects(named('ValidationError', 'Stack with id PostPurchase-dev does not exist'));
  expect(await stackState('PostPurchase-dev')).toBeUndefined();
  stacks.on(DescribeStacksCommand).rejects(named('AccessDenied', 'not authorized'));
  await expect(stackState('PostPurchase-dev')).rejects.toThrow('not authorized');
});

test('a quota that the account never changed is that of every account', async () => {
  quotas.on(GetServiceQuotaCommand, { QuotaCode: 'L-24B04930' }).rejects(named('NoSuchResourceException'));
  quotas.on(GetAWSDefaultServiceQuotaCommand, { QuotaCode: 'L-24B04930' }).resolves({ Quota: { Value: 200 } });
  const facts = await askAccount({ stackName: 'PostPurchase-prod' });
  expect(facts.quotas.distributions).toEqual({ value: 200 });
});

test('what may not be asked has the reason as its answer', async () => {
  distributions.on(ListDistributionsCommand).rejects(named('AccessDenied', 'no'));
  const facts = await askAccount({ stackName: 'PostPurchase-prod' });
  expect(facts.distributions).toEqual({ fault: 'AccessDenied: no' });
});

test('certificate and sender are asked for if the stage has them', async () => {
  certificates
    .on(DescribeCertificateCommand)
    .resolves({ Certificate: { Status: 'ISSUED', SubjectAlternativeNames: ['api.example.com'] } });
  mails.on(GetAccountCommand).resolves({
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    SendQuota: { MaxSendRate: 14 },
  });
  mails.on(GetEmailIdentityCommand, { EmailIdentity: 'shops.example' }).rejects(named('NotFoundException'));
  const facts = await askAccount({
    stackName: 'PostPurchase-prod',
    certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/one',
    mails: { domain: 'shops.example', hasIdentity: true },
  });
  expect(facts.certificate).toEqual({ value: { status: 'ISSUED', names: ['api.example.com'] } });
  expect(facts.mails).toEqual({
    value: { isInSandbox: false, isSending: true, mailsPerSecond: 14, hasVerifiedIdentity: false },
  });
});
