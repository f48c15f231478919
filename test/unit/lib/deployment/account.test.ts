import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStacksCommand, type StackStatus } from '@aws-sdk/client-cloudformation';
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
import { askAccount, questionsOf, stackState } from '#lib/deployment/account.ts';
import type { EmailSender } from '#lib/stage.ts';

const stacks = mockClient(CloudFormationClient);
const quotas = mockClient(ServiceQuotasClient);
const distributions = mockClient(CloudFrontClient);
const certificates = mockClient(ACMClient);
const mails = mockClient(SESv2Client);
const tables = mockClient(DynamoDBClient);

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/one';

/** Executions of Lambda; requests a second of API Gateway and at once; distributions of CloudFront. */
const quotasOfAccount = [
  ['lambda', 'L-B99A9384', 1000],
  ['apigateway', 'L-8A5B8E43', 10_000],
  ['apigateway', 'L-CDF5615A', 5000],
  ['cloudfront', 'L-24B04930', 200],
] as const;

const named = (name: string, message = name) => Object.assign(new Error(message), { name });

beforeEach(() => {
  for (const client of [stacks, quotas, distributions, certificates, mails, tables]) client.reset();
  stacks.on(DescribeStacksCommand, { StackName: 'CDKToolkit' }).resolves({ Stacks: [stackOf('CREATE_COMPLETE')] });
  stacks
    .on(DescribeStacksCommand, { StackName: 'PostPurchase-prod' })
    .resolves({ Stacks: [stackOf('UPDATE_COMPLETE', { TableName: 'the-table' })] });
  for (const [ServiceCode, QuotaCode, Value] of quotasOfAccount) {
    quotas.on(GetServiceQuotaCommand, { ServiceCode, QuotaCode }).resolves({ Quota: { Value } });
  }
  distributions.on(ListDistributionsCommand).resolves({ DistributionList: undefined });
  tables
    .on(DescribeTableCommand, { TableName: 'the-table' })
    .resolves({ Table: { WarmThroughput: { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 12_000 } } });
});

const stackOf = (StackStatus: StackStatus, outputs: Record<string, string> = {}) => ({
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
      gatewayRate: { value: 10_000 },
      gatewayBurst: { value: 5000 },
      distributions: { value: 200 },
    },
    distributions: { value: [] },
    warmThroughput: { value: { reads: 24_000, writes: 12_000 } },
  });
});

interface Call {
  /** The client. */
  thisValue: unknown;
  args: [{ input: object }];
}

test('what lies in us-east-1 is asked there, and all else in the region of the stage', async () => {
  const regionOf = (client: unknown) => (client as CloudFormationClient).config.region();
  stacks.on(DescribeStacksCommand, { StackName: 'CDKToolkit' }).callsFake(async (_input, getClient) => ({
    Stacks: [stackOf('CREATE_COMPLETE', { Region: await regionOf(getClient()) })],
  }));
  mails.on(GetAccountCommand).resolves({});
  const { toolkit, toolkitOfProbe } = await askAccount({
    stackName: 'PostPurchase-prod',
    isProbed: true,
    certificateArn,
    mails: { domain: 'shops.example', hasIdentity: true },
  });
  expect(toolkit).toMatchObject({ value: { outputs: { Region: 'eu-central-1' } } });
  expect(toolkitOfProbe).toMatchObject({ value: { outputs: { Region: 'us-east-1' } } });
  const clients = [stacks, quotas, distributions, certificates, mails, tables];
  const calls = clients.flatMap((client): Call[] => client.calls());
  const asked = calls.map(async ({ thisValue, args: [{ constructor: kind, input }] }) => {
    const { StackName, QuotaCode } = input as { StackName?: string; QuotaCode?: string };
    const what = StackName ?? QuotaCode;
    return `${await regionOf(thisValue)} ${kind.name.replace('Command', what === undefined ? '' : ` ${what}`)}`;
  });
  expect((await Promise.all(asked)).toSorted()).toEqual([
    'eu-central-1 DescribeStacks CDKToolkit',
    'eu-central-1 DescribeStacks PostPurchase-prod',
    'eu-central-1 DescribeTable',
    'eu-central-1 GetAccount',
    'eu-central-1 GetEmailIdentity',
    'eu-central-1 GetServiceQuota L-8A5B8E43',
    'eu-central-1 GetServiceQuota L-B99A9384',
    'eu-central-1 GetServiceQuota L-CDF5615A',
    'us-east-1 DescribeCertificate',
    'us-east-1 DescribeStacks CDKToolkit',
    'us-east-1 GetServiceQuota L-24B04930',
    'us-east-1 ListDistributions',
  ]);
});

test('a stack that is not there is no fault', async () => {
  stacks.on(DescribeStacksCommand).rejects(named('ValidationError', 'Stack with id PostPurchase-dev does not exist'));
  expect(await stackState('PostPurchase-dev')).toBeUndefined();
  stacks.on(DescribeStacksCommand).rejects(named('AccessDenied', 'not authorized'));
  await expect(stackState('PostPurchase-dev')).rejects.toThrow('not authorized');
});

test('a stack whose first change set nobody agreed to is as one that is not there', async () => {
  stacks.on(DescribeStacksCommand).resolves({ Stacks: [stackOf('REVIEW_IN_PROGRESS')] });
  expect(await stackState('PostPurchase-prod')).toBeUndefined();
  const { toolkit, stack } = await askAccount({ stackName: 'PostPurchase-prod' });
  expect([toolkit, stack]).toEqual([{ value: undefined }, { value: undefined }]);
});

test('a quota that the account never changed is that of every account', async () => {
  quotas.on(GetServiceQuotaCommand, { QuotaCode: 'L-24B04930' }).rejects(named('NoSuchResourceException'));
  quotas.on(GetAWSDefaultServiceQuotaCommand, { QuotaCode: 'L-24B04930' }).resolves({ Quota: { Value: 500 } });
  const facts = await askAccount({ stackName: 'PostPurchase-prod' });
  expect(facts.quotas.distributions).toEqual({ value: 500 });
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
    certificateArn,
    mails: { domain: 'shops.example', hasIdentity: true },
  });
  expect(facts.certificate).toEqual({ value: { status: 'ISSUED', names: ['api.example.com'] } });
  expect(facts.mails).toEqual({
    value: { isInSandbox: false, isSending: true, mailsPerSecond: 14, hasVerifiedIdentity: false },
  });
});

test('of a stage is asked what it sets', () => {
  const stackName = 'PostPurchase-prod';
  const name = 'api.example.com';
  const from = 'post@shops.example';
  expect(questionsOf(stackName, {})).toEqual({ stackName, isProbed: false });
  expect(questionsOf(stackName, { probedHost: name })).toEqual({ stackName, isProbed: true });
  expect(questionsOf(stackName, { domain: { name, certificateArn } })).toEqual({
    stackName,
    isProbed: true,
    certificateArn,
  });
  const mailsOf = (email: EmailSender) => questionsOf(stackName, { email }).mails;
  expect(mailsOf({ from })).toEqual({ domain: 'shops.example', hasIdentity: false });
  expect(mailsOf({ from, hasIdentity: true })).toEqual({ domain: 'shops.example', hasIdentity: true });
});
