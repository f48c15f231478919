import { expect, test } from 'vitest';
import { alarmsOutput, deploymentAlarms, deploymentOf, faultIn, stageIn } from '#lib/deployment/deploy-arguments.ts';

const arnOf = (name: string) => `arn:aws:cloudwatch:eu-central-1:111122223333:alarm:${name}`;

const stackWith = (...names: string[]) => ({
  status: 'UPDATE_COMPLETE',
  outputs: { [alarmsOutput]: JSON.stringify(Object.fromEntries(names.map((name) => [name, arnOf(name)]))) },
});

test('a deployment is watched by the alarms of the deployed stack', () => {
  const { args, alarms } = deploymentOf(['-c', 'stage=prod'], stackWith('ApiServerErrors', 'EventStreamAge'));
  expect(alarms).toEqual(['ApiServerErrors', 'EventStreamAge']);
  expect(args).toEqual([
    '-c',
    'stage=prod',
    '--rollback-trigger-alarm-arns',
    arnOf('ApiServerErrors'),
    '--rollback-trigger-alarm-arns',
    arnOf('EventStreamAge'),
    '--monitoring-time-minutes',
    '30',
  ]);
});

test('an alarm that this version does not watch any more is left out, because it may be gone at the end', () => {
  expect(deploymentOf([], stackWith('ApiServerErrors', 'OfLastYear')).alarms).toEqual(['ApiServerErrors']);
});

test('the first deployment, and that of a stage without protection, have no alarms', () => {
  expect(deploymentOf(['--all'], undefined)).toEqual({ args: ['--all'], alarms: [] });
  expect(deploymentOf([], { status: 'UPDATE_COMPLETE', outputs: {} })).toEqual({ args: [], alarms: [] });
});

test('what mends a fault is deployed while its alarm rings', () => {
  const { args, alarms } = deploymentOf(['-c', 'stage=prod', '--without-alarms'], stackWith('ApiServerErrors'));
  expect(alarms).toEqual([]);
  expect(args).toEqual(['-c', 'stage=prod', '--rollback-trigger-alarm-arns', 'none', '--monitoring-time-minutes', '0']);
});

test('CloudFormation takes five alarms', () => {
  expect(deploymentAlarms.length).toBeLessThanOrEqual(5);
});

test.each([
  [['-c', 'stage=prod', '--profile', 'other'], '--profile'],
  [['--profile=other'], '--profile'],
  [['--region', 'eu-west-1'], '--region'],
  [['--region=eu-west-1'], '--region'],
])('an account or a region comes from the environment, and not from %j', (given, option) => {
  expect(faultIn(given, {})).toMatch(new RegExp(`^${option} would .*: set AWS_PROFILE and AWS_REGION`));
});

test('other arguments of the CDK are taken', () => {
  const given = ['-c', 'stage=prod', '--without-alarms', '--require-approval=never', '--progress', 'events'];
  expect(faultIn(given, { AWS_PROFILE: 'prod', CDK_DISABLE_VERSION_CHECK: '1' })).toBe(undefined);
});

test.each(['CDK_PROFILE', 'CDK_REGION'])('the CDK would take %s as an option, so it is refused, too', (name) => {
  expect(faultIn(['-c', 'stage=prod'], { [name]: 'other' })).toMatch(name);
});

test('the stage is that of the app: the last one that is given, or dev', () => {
  expect(stageIn(['-c', 'stage=prod', '--all'])).toBe('prod');
  expect(stageIn(['--context', 'stage=prod', '-c', 'bundled=true'])).toBe('prod');
  expect(stageIn(['-c', 'stage=one', '-c', 'stage=two'])).toBe('two');
  expect(stageIn([])).toBe('dev');
});
