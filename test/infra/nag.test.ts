import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { describe, expect, test } from 'vitest';
import { newProbe, newStack } from './synthesis.ts';

const variants = {
  'the stack': {},
  'the stack with a static egress address': { staticEgress: true },
  'the stack with a domain of its own': {
    domain: {
      name: 'api.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-0000-0000-000000000000',
    },
  },
  'the stack with an alarm address': { alarmEmail: 'on-call@example.com' },
  'the stack with a web ACL': { webAcl: { requestsPerFiveMinutes: 600 } },
  'the stack with a sender of e-mails': { email: { from: 'post@mail.example.com' } },
};

describe.each(Object.entries(variants))('%s', (_, options) => {
  const { stack } = newStack(options);

  test('has no finding of cdk-nag that is not acknowledged', () => {
    expect(findings(stack)).toEqual([]);
  });

  test('gives a reason for every acknowledged finding', () => {
    const reasons = acknowledgements(stack).map(({ reason }) => reason);
    expect(reasons).not.toEqual([]);
    expect(reasons.filter((reason) => reason.split(' ').length < 5)).toEqual([]);
  });

  test('acknowledges only findings that exist, at the construct where they are', () => {
    const found = findings(stack, { ignoreAcknowledgements: true });
    const stale = acknowledgements(stack).filter(
      ({ rule, path }) => !found.some((finding) => finding.rule === rule && finding.path.startsWith(`${path}/`)),
    );
    expect(stale).toEqual([]);
  });
});

test('the stack that asks from outside has no finding of cdk-nag', () => {
  expect(findings(newProbe('on-call@example.com').probe)).toEqual([]);
});

function findings(scope: IConstruct, { ignoreAcknowledgements = false } = {}): { rule: string; path: string }[] {
  const checks = new AwsSolutionsChecks(scope);
  if (ignoreAcknowledgements) Object.assign(checks, { isAcknowledged: () => false });
  return checks
    .validateScope(scope)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => ({ rule: ruleName, path: constructPath ?? '' })),
    );
}

/** Only those of cdk-nag, because the CDK itself acknowledges some rules of CloudFormation. */
function acknowledgements(scope: IConstruct): { rule: string; reason: string; path: string }[] {
  return scope.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries<string>(data))
      .map(([id, reason]) => ({ rule: id.replace(/^annotation::/i, ''), reason, path: node.path }))
      .filter(({ rule }) => rule.startsWith('AwsSolutions-')),
  );
}
