import { expect, test } from 'vitest';
import { addStacks, stackNamesOf } from '#lib/synthesize.ts';
import { emptyBundles, newApp, onlyResource } from './synthesis.ts';

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-0000-0000-000000000000';
const domain = { name: 'api.example.com', certificateArn };

test('a stage with a domain has a second stack that asks it from outside, and tells the address of the stage', () => {
  const stage = { domain, alarmEmail: 'on-call@example.com' };
  const app = newApp();
  addStacks(app, 'prod', stage, emptyBundles());
  const { stackName, probeName } = stackNamesOf('prod', stage);
  const assembly = app.synth();
  expect(assembly.stacks.map((stack) => stack.stackName).toSorted()).toEqual([stackName, probeName]);
  const probe = assembly.getStackByName(probeName!);
  expect(probe.environment.region).toBe('us-east-1');
  const { HealthCheckConfig } = onlyResource(probe.template, 'AWS::Route53::HealthCheck').Properties;
  expect(HealthCheckConfig.FullyQualifiedDomainName).toBe(domain.name);
  expect(onlyResource(probe.template, 'AWS::SNS::Subscription').Properties.Endpoint).toBe(stage.alarmEmail);
});

test('a stage without a host to ask has one stack', () => {
  const app = newApp();
  addStacks(app, 'dev', {}, emptyBundles());
  expect(app.node.children.map(({ node }) => node.id)).toEqual(['PostPurchase-dev']);
  expect(stackNamesOf('dev', {})).toEqual({ stackName: 'PostPurchase-dev', probeName: undefined });
});
