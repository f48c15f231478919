import { probedHostOf, type Stage, usualMailsPerSecond, usualThrottle } from '../stage.ts';
import type { AccountFacts, Answer, StackState } from './account.ts';

/** What was found about one subject: whether it stops the deployment, weakens it, or is as it should be. */
export interface Finding {
  readonly subject: string;
  readonly verdict: 'fits' | 'weak' | 'stops';
  readonly sentence: string;
}

type Found = Omit<Finding, 'subject'>;

const fits = (sentence: string): Found => ({ verdict: 'fits', sentence });
const weak = (sentence: string): Found => ({ verdict: 'weak', sentence });
const stops = (sentence: string): Found => ({ verdict: 'stops', sentence });

/**
 * Lambda keeps so much of an account's concurrency from being reserved, and refuses a function that asks for it:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html.
 */
const unreservedConcurrency = 100;

/** What every account has that is not new. */
const usualConcurrency = 1000;

/** The API with its console, and the images. */
const distributionsOfStack = 2;

/** As commands name them. */
interface Names {
  readonly stageName: string;
  readonly stackName: string;
}

/** What the account allows, held against what the stage needs. */
export function findingsOf(names: Names, stage: Stage, facts: AccountFacts): Finding[] {
  const isFirst = 'value' in facts.stack && facts.stack.value === undefined;
  const rows: [string, Found | undefined][] = [
    // Who may not even ask this cannot deploy.
    [
      'Credentials and bootstrap',
      { ...from(facts.toolkit, bootstrap), ...('fault' in facts.toolkit && { verdict: 'stops' }) },
    ],
    ['Bootstrap of us-east-1', facts.toolkitOfProbe && from(facts.toolkitOfProbe, bootstrapOfProbe)],
    ['The stack', from(facts.stack, (stack) => stackFound(names, stack))],
    ['Lambda, concurrency', from(facts.quotas.concurrency, (quota) => concurrency(stage, quota))],
    ['API Gateway, rate', gatewayRate(stage, facts.quotas)],
    ['CloudFront, distributions', distributions(stage, facts, isFirst)],
    ['Certificate', facts.certificate && from(facts.certificate, (found) => certificate(stage, found))],
    ['SES', facts.mails && from(facts.mails, (found) => mails(stage, found))],
    ['Warm throughput', facts.warmThroughput && from(facts.warmThroughput, (found) => throughput(stage, found))],
    ['Alarms', stage.alarmEmail === undefined ? weak('Nobody is told: set alarmEmail.') : fits('somebody is told')],
    ['Budget', budget(stage)],
    ['Probe', probe(stage)],
    ['Strangers', strangers(stage)],
    ['Mark of the origin', mark(stage)],
  ];
  return rows.flatMap(([subject, found]) => (found ? [{ subject, ...found }] : []));
}

const from = <T>(answer: Answer<T>, find: (value: T) => Found): Found =>
  'value' in answer ? find(answer.value) : weak(`It could not be asked: ${answer.fault}`);

const bootstrap = (toolkit: StackState | undefined): Found =>
  toolkit ? fits(`bootstrapped (${toolkit.status})`) : stops('Run npx cdk bootstrap first.');

/** The probe lies there. It is deployed last. */
const bootstrapOfProbe = (toolkit: StackState | undefined): Found =>
  toolkit ? fits(`bootstrapped (${toolkit.status})`) : stops('Run npx cdk bootstrap aws://<account>/us-east-1 first.');

/** The CDK deletes such a stack before it deploys it anew, unless it is protected, which it is before its creation begins. */
const failedCreations = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/** What `cdk rollback` can roll back. */
const pausedFailures = ['CREATE_FAILED', 'UPDATE_FAILED', 'UPDATE_ROLLBACK_FAILED'];

function stackFound({ stageName, stackName }: Names, stack: StackState | undefined): Found {
  if (!stack) return fits('This is the first deployment.');
  const { status } = stack;
  if (status.endsWith('_IN_PROGRESS'))
    return stops(`Something changes it now, or still watches what was changed (${status}).`);
  // A stack whose creation failed can only be deleted. What it keeps when it is deleted it has kept by then.
  if (failedCreations.includes(status)) {
    return stops(
      `Its creation failed (${status}), so it can only be deleted: ` +
        `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stackName}, ` +
        `then aws cloudformation delete-stack --stack-name ${stackName}. Deploy it anew after that.`,
    );
  }
  if (pausedFailures.includes(status)) {
    return stops(
      `It is not in order (${status}): npx cdk rollback ${stackName} -c stage=${stageName}. lib/deployments.md says more.`,
    );
  }
  if (status.endsWith('_FAILED')) return stops(`It is not in order (${status}): see its events in CloudFormation.`);
  return fits(`It is there (${status}).`);
}

function concurrency(stage: Stage, quota: number): Found {
  const reserved = (stage.pagesConcurrency ?? 0) + (stage.providersConcurrency ?? 0);
  if (quota < reserved + unreservedConcurrency) {
    return stops(
      `The account has ${quota}, and the stage reserves ${reserved}; Lambda keeps ${unreservedConcurrency} free. ` +
        'Ask Service Quotas for more, or lower pagesConcurrency and providersConcurrency.',
    );
  }
  const reckoned = stage.concurrency ?? usualConcurrency;
  if (quota !== reckoned)
    return weak(`The account has ${quota}, and the stage reckons with ${reckoned}: set concurrency.`);
  return fits(`${quota}, of which the stage reserves ${reserved}`);
}

function gatewayRate(
  { throttle = usualThrottle }: Stage,
  { gatewayRate: rate, gatewayBurst: burst }: AccountFacts['quotas'],
): Found {
  return from(rate, (ofAccount) =>
    from(burst, (burstOfAccount) => {
      if (throttle.rate > ofAccount || throttle.burst > burstOfAccount) {
        return weak(
          `The account has ${ofAccount} requests a second and ${burstOfAccount} at once: what the stage allows beyond that is refused.`,
        );
      }
      return fits(`${ofAccount} requests a second, ${burstOfAccount} at once`);
    }),
  );
}

function distributions(stage: Stage, { distributions: all, quotas, stack }: AccountFacts, isFirst: boolean): Found {
  return from(all, (found) => {
    const own = 'value' in stack ? stack.value?.outputs.DnsTarget : undefined;
    const other = found.find(
      ({ aliases, domainName }) => aliases.includes(stage.domain?.name ?? '') && domainName !== own,
    );
    if (other) return stops(`${stage.domain?.name} belongs to the distribution ${other.domainName}.`);
    return from(quotas.distributions, (quota) => {
      const left = quota - found.length;
      if (isFirst && left < distributionsOfStack) return stops(`The account has ${found.length} of ${quota}.`);
      // AWS lets a new account make none until it is verified, and tells only at the attempt.
      return found.length === 0
        ? weak(`The account has none of ${quota}. A new account may have to be verified by AWS Support first.`)
        : fits(`${found.length} of ${quota}`);
    });
  });
}

function certificate({ domain }: Stage, { status, names }: NonNullable<Value<'certificate'>>): Found {
  const name = domain?.name ?? '';
  const covered = names.includes(name) || names.includes(name.replace(/^[^.]+/, '*'));
  if (!covered) return stops(`It is for ${names.join(', ')} and not for ${name}.`);
  return status === 'ISSUED' ? fits(`issued for ${name}`) : stops(`It is not issued yet (${status}).`);
}

function mails({ email }: Stage, facts: NonNullable<Value<'mails'>>): Found {
  const wanted = email?.maxPerSecond ?? usualMailsPerSecond;
  if (facts.hasVerifiedIdentity === false) return stops('SES has no verified identity of the sender’s domain.');
  if (facts.isInSandbox)
    return weak('SES is in its sandbox: it mails only to addresses that you verified. Ask for production access.');
  if (!facts.isSending) return weak('SES does not send for this account.');
  if (facts.mailsPerSecond < wanted)
    return weak(`SES takes ${facts.mailsPerSecond} mails a second, and the stage sends ${wanted}.`);
  return fits(`${facts.mailsPerSecond} mails a second`);
}

/**
 * The table grows with its use, and a deployment leaves it alone as long as the stage says what it said before. It fails if
 * the stage's value changes to less than the table has.
 */
function throughput({ warmThroughput }: Stage, { reads, writes }: NonNullable<Value<'warmThroughput'>>): Found {
  const present = `${reads} read and ${writes} write units a second`;
  if (warmThroughput && (warmThroughput.readUnitsPerSecond < reads || warmThroughput.writeUnitsPerSecond < writes)) {
    return weak(
      `The table has ${present}, and DynamoDB lowers nothing: if you change warmThroughput, set at least these.`,
    );
  }
  return fits(present);
}

const budget = ({ monthlyBudgetDollars }: Stage): Found =>
  monthlyBudgetDollars === undefined
    ? weak('Nobody is told when a month becomes dear: set monthlyBudgetDollars.')
    : fits(`a mail before ${monthlyBudgetDollars} dollars`);

const strangers = ({ pagesConcurrency, providersConcurrency }: Stage): Found =>
  pagesConcurrency === undefined || providersConcurrency === undefined
    ? weak(
        'Customers and tracking providers can take what merchants need: set pagesConcurrency and providersConcurrency.',
      )
    : fits('customers and tracking providers have executions of their own');

const probe = (stage: Stage): Found =>
  probedHostOf(stage) === undefined
    ? weak('Nobody asks from outside whether the service answers: set domain or probedHost.')
    : fits(`asks ${probedHostOf(stage)}`);

/** The id of the stack stands in logs and in tags, where more people read it than should know the mark. */
const mark = ({ distributionMarks }: Stage): Found =>
  distributionMarks === undefined
    ? weak('It is a part of the id of the stack: set distributionMarks.')
    : fits(`the stage’s own, ${distributionMarks.length} accepted`);

type Value<Name extends 'certificate' | 'mails' | 'warmThroughput'> = Extract<
  NonNullable<AccountFacts[Name]>,
  { value: unknown }
>['value'];

export const isReady = (findings: readonly Finding[]): boolean => findings.every(({ verdict }) => verdict !== 'stops');
