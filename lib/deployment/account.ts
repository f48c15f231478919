import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, type DistributionSummary, paginateListDistributions } from '@aws-sdk/client-cloudfront';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { probedHostOf, type Stage } from '../stage.ts';

/** What somebody asked, or why there is no answer: mostly a missing right. */
export type Answer<T> = { readonly value: T } | { readonly fault: string };

export interface AccountFacts {
  readonly toolkit: Answer<StackState | undefined>;
  /** Of us-east-1, for the stack that asks from outside. Only of a stage that has one. */
  readonly toolkitOfProbe?: Answer<StackState | undefined>;
  /** Undefined before the first deployment. */
  readonly stack: Answer<StackState | undefined>;
  readonly quotas: Readonly<Record<QuotaName, Answer<number>>>;
  readonly distributions: Answer<readonly DistributionFacts[]>;
  /** Only of a stage with a domain. */
  readonly certificate?: Answer<CertificateFacts>;
  /** Only of a stage that sends e-mails. */
  readonly mails?: Answer<MailFacts>;
  /** Only of a stack that has a table. */
  readonly warmThroughput?: Answer<Throughput>;
}

export interface StackState {
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
}

interface DistributionFacts {
  readonly domainName: string;
  readonly aliases: readonly string[];
}

interface CertificateFacts {
  readonly status: string;
  readonly names: readonly string[];
}

interface MailFacts {
  readonly isInSandbox: boolean;
  readonly isSending: boolean;
  readonly mailsPerSecond: number;
  /** Of the sender's domain, if the stage says that SES has it already. */
  readonly hasVerifiedIdentity?: boolean;
}

interface Throughput {
  readonly reads: number;
  readonly writes: number;
}

/**
 * The codes stand in the addresses of the console that AWS's pages of quotas link to, for example
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html.
 */
const quotaCodes = {
  concurrency: { ServiceCode: 'lambda', QuotaCode: 'L-B99A9384' },
  gatewayRate: { ServiceCode: 'apigateway', QuotaCode: 'L-8A5B8E43' },
  gatewayBurst: { ServiceCode: 'apigateway', QuotaCode: 'L-CDF5615A' },
  /** Of the whole account, so it is asked in us-east-1. */
  distributions: { ServiceCode: 'cloudfront', QuotaCode: 'L-24B04930' },
} as const;

type QuotaName = keyof typeof quotaCodes;

const quotaNames = Object.keys(quotaCodes) as QuotaName[];

/** CloudFront, its certificates and health checks are here, wherever the stack is. */
const regionOfCloudFront = { region: 'us-east-1' };

/** The stack that `cdk bootstrap` makes. */
const toolkitStack = 'CDKToolkit';

export interface Questions {
  readonly stackName: string;
  readonly isProbed?: boolean;
  readonly certificateArn?: string | undefined;
  /** The domain of the sender of e-mails, and whether SES is to have its identity already. */
  readonly mails?: { readonly domain: string; readonly hasIdentity: boolean } | undefined;
}

/** What the stage makes worth asking. */
export const questionsOf = (stackName: string, stage: Stage): Questions => ({
  stackName,
  isProbed: probedHostOf(stage) !== undefined,
  certificateArn: stage.domain?.certificateArn,
  mails: stage.email && { domain: stage.email.from.split('@')[1]!, hasIdentity: stage.email.hasIdentity ?? false },
});

/** Asks with the credentials and the region of the environment. It changes nothing. */
export async function askAccount({ stackName, isProbed, certificateArn, mails }: Questions): Promise<AccountFacts> {
  const [toolkit, toolkitOfProbe, stack, distributions, certificate, mailFacts, ...quotas] = await Promise.all([
    answered(stackState(toolkitStack)),
    isProbed ? answered(stackState(toolkitStack, regionOfCloudFront)) : undefined,
    answered(stackState(stackName)),
    answered(listDistributions()),
    certificateArn === undefined ? undefined : answered(certificateFacts(certificateArn)),
    mails && answered(factsOfMails(mails)),
    ...quotaNames.map((name) => answered(quota(name))),
  ]);
  const tableName = 'value' in stack ? stack.value?.outputs.TableName : undefined;
  return {
    toolkit,
    ...(toolkitOfProbe && { toolkitOfProbe }),
    stack,
    distributions,
    quotas: Object.fromEntries(quotaNames.map((name, i) => [name, quotas[i]!])) as AccountFacts['quotas'],
    ...(certificate && { certificate }),
    ...(mailFacts && { mails: mailFacts }),
    ...(tableName !== undefined && { warmThroughput: await answered(warmThroughput(tableName)) }),
  };
}

async function answered<T>(question: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await question };
  } catch (error) {
    return { fault: `${(error as Error).name}: ${(error as Error).message}` };
  }
}

/** Undefined if there is no such stack, or nothing of it but a first change set that nobody has agreed to. */
export async function stackState(StackName: string, place: { region?: string } = {}): Promise<StackState | undefined> {
  const { Stacks = [] } = await describeStack(StackName, place);
  const [stack] = Stacks;
  if (!stack || stack.StackStatus === 'REVIEW_IN_PROGRESS') return undefined;
  const outputs = (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
  return { status: stack.StackStatus!, outputs: Object.fromEntries(outputs) };
}

async function describeStack(StackName: string, place: { region?: string }): Promise<{ Stacks?: Stack[] | undefined }> {
  try {
    return await new CloudFormationClient(place).send(new DescribeStacksCommand({ StackName }));
  } catch (error) {
    // CloudFormation has no error of its own for this.
    if (/does not exist/.test((error as Error).message)) return {};
    throw error;
  }
}

/** What the account has, or what every account has if this one never asked for more. */
async function quota(name: QuotaName): Promise<number> {
  const client = new ServiceQuotasClient(name === 'distributions' ? regionOfCloudFront : {});
  try {
    const { Quota } = await client.send(new GetServiceQuotaCommand(quotaCodes[name]));
    return Quota!.Value!;
  } catch (error) {
    if ((error as Error).name !== 'NoSuchResourceException') throw error;
    const { Quota } = await client.send(new GetAWSDefaultServiceQuotaCommand(quotaCodes[name]));
    return Quota!.Value!;
  }
}

async function listDistributions(): Promise<DistributionFacts[]> {
  const found: DistributionSummary[] = [];
  for await (const { DistributionList } of paginateListDistributions(
    { client: new CloudFrontClient(regionOfCloudFront) },
    {},
  )) {
    found.push(...(DistributionList?.Items ?? []));
  }
  return found.map(({ DomainName = '', Aliases }) => ({ domainName: DomainName, aliases: Aliases?.Items ?? [] }));
}

async function certificateFacts(CertificateArn: string): Promise<CertificateFacts> {
  const { Certificate } = await new ACMClient(regionOfCloudFront).send(
    new DescribeCertificateCommand({ CertificateArn }),
  );
  return { status: Certificate?.Status ?? 'UNKNOWN', names: Certificate?.SubjectAlternativeNames ?? [] };
}

async function factsOfMails({ domain, hasIdentity }: NonNullable<Questions['mails']>): Promise<MailFacts> {
  const client = new SESv2Client();
  const { ProductionAccessEnabled, SendingEnabled, SendQuota } = await client.send(new GetAccountCommand({}));
  return {
    isInSandbox: !ProductionAccessEnabled,
    isSending: SendingEnabled ?? false,
    mailsPerSecond: SendQuota?.MaxSendRate ?? 0,
    ...(hasIdentity && { hasVerifiedIdentity: await isVerified(client, domain) }),
  };
}

async function isVerified(client: SESv2Client, EmailIdentity: string): Promise<boolean> {
  try {
    const identity = await client.send(new GetEmailIdentityCommand({ EmailIdentity }));
    return identity.VerifiedForSendingStatus ?? false;
  } catch (error) {
    if ((error as Error).name === 'NotFoundException') return false;
    throw error;
  }
}

async function warmThroughput(TableName: string): Promise<Throughput> {
  const { Table } = await new DynamoDBClient().send(new DescribeTableCommand({ TableName }));
  const { ReadUnitsPerSecond = 0, WriteUnitsPerSecond = 0 } = Table?.WarmThroughput ?? {};
  return { reads: ReadUnitsPerSecond, writes: WriteUnitsPerSecond };
}
