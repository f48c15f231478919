import type { StackState } from './account.ts';

/** The alarms of the stack that take a deployment back. CloudFormation takes five at most. */
export const deploymentAlarms = [
  'ApiServerErrors',
  'PageServerErrors',
  'FunctionErrors',
  'EventStreamAge',
  'CountsStreamAge',
] as const;

/** The name of the output of a protected stack: JSON, the ARN of each of these alarms by its name. */
export const alarmsOutput = 'DeploymentAlarms';

/**
 * How long CloudFormation watches after all resources are deployed: the slowest of these alarms wants ten minutes of age in two of
 * three periods of five minutes, of which CloudWatch hears some minutes later.
 */
const monitoringMinutes = 30;

/** Deploys although an alarm rings, for example what mends it: otherwise CloudFormation would take that back, too. */
export const withoutAlarms = '--without-alarms';

/** `cdk deploy` takes them, and the variables as well. */
const placeOptions = ['--profile', '--region', 'CDK_PROFILE', 'CDK_REGION'];

/** Why nothing may be deployed with these arguments: the alarms and the address would be those of another account or region. */
export function faultIn(given: readonly string[], environment: NodeJS.ProcessEnv): string | undefined {
  const names = [...given.map((one) => one.split('=')[0]!), ...Object.keys(environment)];
  const option = names.find((name) => placeOptions.includes(name));
  return option && `${option} would reach only the CDK: set AWS_PROFILE and AWS_REGION, which everything here uses.`;
}

const stageOption = /^stage=(.+)$/;

/** The stage of the arguments of `cdk deploy`, as the app reads it. */
export function stageIn(given: readonly string[]): string {
  const contexts = given.filter((_, i) => ['-c', '--context'].includes(given[i - 1] ?? ''));
  return contexts.map((context) => stageOption.exec(context)?.[1]).findLast((stage) => stage !== undefined) ?? 'dev';
}

export interface Deployment {
  readonly args: readonly string[];
  /** Which alarms watch it. */
  readonly alarms: readonly string[];
}

/**
 * The arguments of `cdk deploy` with the alarms that watch the deployment: those of the deployed stack, because CloudFormation wants them
 * to be there before it begins. The first deployment has none.
 */
export function deploymentOf(given: readonly string[], stack: StackState | undefined): Deployment {
  const args = given.filter((one) => one !== withoutAlarms);
  const output = stack?.outputs[alarmsOutput];
  if (output === undefined) return { args, alarms: [] };
  // CloudFormation remembers the alarms of the last deployment, and for how long they watch.
  if (args.length < given.length) {
    return { args: [...args, '--rollback-trigger-alarm-arns', 'none', '--monitoring-time-minutes', '0'], alarms: [] };
  }
  const arns = JSON.parse(output) as Record<string, string>;
  // What this version no longer watches may be gone at the end of its deployment, and a missing alarm would take it back.
  const alarms = deploymentAlarms.filter((name) => arns[name] !== undefined);
  const triggers = alarms.flatMap((name) => ['--rollback-trigger-alarm-arns', arns[name]!]);
  return { args: [...args, ...triggers, '--monitoring-time-minutes', String(monitoringMinutes)], alarms };
}
