import { describe, expect, test } from 'vitest';
import type { AccountFacts } from '#lib/deployment/account.ts';
import { findingsOf, isReady } from '#lib/deployment/preflight.ts';
import type { Stage } from '#lib/stage.ts';

const names = { stageName: 'prod', stackName: 'Service-prod' };

const domain = { name: 'api.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/one' };

const stack = (status: string, outputs: Record<string, string> = {}) => ({ value: { status, outputs } });

/** An account that was used before, in which the stage has been deployed. */
const usual: AccountFacts = {
  toolkit: stack('CREATE_COMPLETE'),
  stack: stack('UPDATE_COMPLETE'),
  quotas: {
    concurrency: { value: 1000 },
    gatewayRate: { value: 10_000 },
    gatewayBurst: { value: 5000 },
    distributions: { value: 200 },
  },
  distributions: { value: [{ domainName: 'd1.cloudfront.net', aliases: [] }] },
};

function found(subject: string, stage: Stage, facts: Partial<AccountFacts> = {}) {
  const findings = findingsOf(names, stage, { ...usual, ...facts });
  const finding = findings.find((one) => one.subject === subject);
  return finding && `${finding.verdict}: ${finding.sentence}`;
}

const quotas = (given: Partial<Record<keyof AccountFacts['quotas'], number>>): Partial<AccountFacts> => ({
  quotas: {
    ...usual.quotas,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value }])),
  },
});

test('an account that was used before fits a stage with somebody who is told', () => {
  const distributionMarks = ['a-mark-of-the-stage'];
  const stage = {
    alarmEmail: 'on-call@example.com',
    monthlyBudgetDollars: 300,
    pagesConcurrency: 300,
    providersConcurrency: 200,
    probedHost: 'api.example.com',
    distributionMarks,
  };
  const findings = findingsOf(names, stage, usual);
  expect(findings.map(({ subject, verdict }) => `${subject}: ${verdict}`)).toEqual([
    'Credentials and bootstrap: fits',
    'The stack: fits',
    'Lambda, concurrency: fits',
    'API Gateway, rate: fits',
    'CloudFront, distributions: fits',
    'Alarms: fits',
    'Budget: fits',
    'Probe: fits',
    'Strangers: fits',
    'Mark of the origin: fits',
  ]);
  expect(isReady(findings)).toBe(true);
});

describe('a deployment is stopped', () => {
  const stopped = (stage: Stage, facts: Partial<AccountFacts>) =>
    findingsOf(names, stage, { ...usual, ...facts })
      .filter(({ verdict }) => verdict === 'stops')
      .map(({ subject }) => subject);

  test.each<[string, string, Stage, Partial<AccountFacts>]>([
    ['without credentials', 'Credentials and bootstrap', {}, { toolkit: { fault: 'CredentialsProviderError' } }],
    ['without a bootstrap', 'Credentials and bootstrap', {}, { toolkit: { value: undefined } }],
    [
      'without a bootstrap for the probe',
      'Bootstrap of us-east-1',
      { domain },
      { toolkitOfProbe: { value: undefined } },
    ],
    ['while another one runs', 'The stack', {}, { stack: stack('UPDATE_IN_PROGRESS') }],
    ['after a creation that failed', 'The stack', {}, { stack: stack('ROLLBACK_COMPLETE') }],
    ['after a rollback that failed', 'The stack', {}, { stack: stack('UPDATE_ROLLBACK_FAILED') }],
    ['after a deletion that failed', 'The stack', {}, { stack: stack('DELETE_FAILED') }],
    [
      'by a new account that cannot reserve what the pages need',
      'Lambda, concurrency',
      { pagesConcurrency: 200, providersConcurrency: 100 },
      quotas({ concurrency: 399 }),
    ],
    [
      'by a domain that another distribution has',
      'CloudFront, distributions',
      { domain },
      { distributions: { value: [{ domainName: 'd2.cloudfront.net', aliases: ['api.example.com'] }] } },
    ],
    [
      'by the number of distributions, if it is the first',
      'CloudFront, distributions',
      {},
      { ...quotas({ distributions: 2 }), stack: { value: undefined } },
    ],
    [
      'by a certificate that nobody confirmed',
      'Certificate',
      { domain },
      { certificate: { value: { status: 'PENDING_VALIDATION', names: ['api.example.com'] } } },
    ],
    [
      'by a certificate of another name',
      'Certificate',
      { domain },
      { certificate: { value: { status: 'ISSUED', names: ['example.com', '*.shop.example.com'] } } },
    ],
    [
      'by a sender whom SES does not know',
      'SES',
      { email: { from: 'post@shops.example', hasIdentity: true } },
      { mails: { value: { isInSandbox: false, isSending: true, mailsPerSecond: 14, hasVerifiedIdentity: false } } },
    ],
  ])('%s', (_, subject, stage, facts) => {
    expect(stopped(stage, facts)).toEqual([subject]);
  });
});

test.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'])(
  'a creation that ended as %s is deleted, after its protection is taken away',
  (status) => {
    const sentence = found('The stack', { isProtected: true }, { stack: stack(status) });
    expect(sentence).toMatch(
      /--no-enable-termination-protection --stack-name Service-prod, then aws cloudformation delete-stack --stack-name Service-prod\./,
    );
    expect(sentence).not.toContain('rollback ');
  },
);

test.each(['CREATE_FAILED', 'UPDATE_FAILED', 'UPDATE_ROLLBACK_FAILED'])(
  'a stack that is %s is rolled back by its own name and stage',
  (status) => {
    expect(found('The stack', {}, { stack: stack(status) })).toContain(
      `(${status}): npx cdk rollback Service-prod -c stage=prod.`,
    );
  },
);

test('what the CDK cannot roll back is looked up', () => {
  expect(found('The stack', {}, { stack: stack('DELETE_FAILED') })).toMatch(
    /^stops: .*\(DELETE_FAILED\): see its events/,
  );
});

test('a new account is weak but can be deployed to, as long as nothing is reserved', () => {
  expect(found('Lambda, concurrency', {}, quotas({ concurrency: 100 }))).toMatch(/^weak: The account has 100/);
  expect(found('Lambda, concurrency', { pagesConcurrency: 300 }, quotas({ concurrency: 400 }))).toMatch(/^weak/);
  expect(found('Lambda, concurrency', { concurrency: 100 }, quotas({ concurrency: 100 }))).toMatch(/^fits/);
  expect(found('CloudFront, distributions', {}, { distributions: { value: [] } })).toMatch(/^weak: .*verified/);
});

test('a throttle above that of the account is told', () => {
  expect(found('API Gateway, rate', { throttle: { rate: 12_000, burst: 5000 } })).toMatch(/^weak: .*10000/);
  expect(found('API Gateway, rate', { throttle: { rate: 5000, burst: 5000 } })).toMatch(/^fits/);
  const inSmallRegion = quotas({ gatewayRate: 2500, gatewayBurst: 1250 });
  expect(found('API Gateway, rate', {}, inSmallRegion)).toMatch(/^weak: .*1250 at once/);
});

test('a stage without a budget, or that keeps no executions for strangers, is told', () => {
  expect(found('Budget', {})).toMatch(/^weak: .*set monthlyBudgetDollars/);
  expect(found('Strangers', { pagesConcurrency: 300 })).toMatch(/^weak: .*providersConcurrency/);
});

test('a stage that nobody asks from outside, or whose mark is the id of its stack, is told', () => {
  expect(found('Probe', {})).toMatch(/^weak: Nobody asks/);
  expect(found('Probe', { domain })).toBe('fits: asks api.example.com');
  expect(found('Mark of the origin', {})).toMatch(/^weak: .*set distributionMarks/);
  expect(found('Mark of the origin', { distributionMarks: ['one-of-two-marks', 'two-of-two-marks'] })).toMatch(/^fits/);
});

test('the sandbox of SES and a low rate are told', () => {
  const email = { from: 'post@shops.example', maxPerSecond: 50 };
  const mails = { isInSandbox: true, isSending: true, mailsPerSecond: 1 };
  expect(found('SES', { email }, { mails: { value: mails } })).toMatch(/^weak: .*sandbox/);
  expect(found('SES', { email }, { mails: { value: { ...mails, isInSandbox: false } } })).toMatch(/^weak: .*1 mails/);
  expect(
    found('SES', { email }, { mails: { value: { isInSandbox: false, isSending: true, mailsPerSecond: 50 } } }),
  ).toMatch(/^fits/);
  expect(found('SES', {})).toBeUndefined();
});

test('a wildcard of one level is a certificate of the domain, and its own distribution may have it', () => {
  const names = ['*.example.com'];
  expect(found('Certificate', { domain }, { certificate: { value: { status: 'ISSUED', names } } })).toMatch(/^fits/);
  const own = { domainName: 'd2.cloudfront.net', aliases: ['api.example.com'] };
  const facts = {
    distributions: { value: [own] },
    stack: stack('UPDATE_COMPLETE', { DnsTarget: 'd2.cloudfront.net' }),
  };
  expect(found('CloudFront, distributions', { domain }, facts)).toMatch(/^fits/);
});

test('a table that has grown is told, because its warm throughput can only be raised', () => {
  const warmThroughput = { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 12_000 };
  const grown = { warmThroughput: { value: { reads: 24_000, writes: 20_000 } } };
  expect(found('Warm throughput', { warmThroughput }, grown)).toMatch(/^weak: .*20000 write/);
  expect(found('Warm throughput', {}, grown)).toMatch(/^fits/);
});

test('what could not be asked is told with its reason, and stops nothing', () => {
  const fault = { fault: 'AccessDeniedException: not authorized' };
  expect(found('CloudFront, distributions', {}, { distributions: fault })).toBe(
    'weak: It could not be asked: AccessDeniedException: not authorized',
  );
});
