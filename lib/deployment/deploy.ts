import type { StackNames } from '../synthesize.ts';
import { stackState } from './account.ts';
import { deploymentOf, faultIn, withoutAlarms } from './deploy-arguments.ts';

export interface DeployProps extends StackNames {
  /** What `cdk deploy` is given. */
  readonly given: readonly string[];
  /** Whether smoke has a key. */
  readonly hasKey: boolean;
  /** Runs a command to its end, and answers its exit code. */
  readonly run: (command: string, args: readonly string[]) => Promise<number>;
  readonly print: (line: string) => void;
}

/** Deploys the stacks of a stage and asks whether it works. The first command that fails is the last, and its exit code the answer. */
export async function deploy(props: DeployProps): Promise<number> {
  const { given, stackName, probeName, run, print } = props;
  const fault = faultIn(given, process.env);
  if (fault) throw new Error(fault);
  const { args, alarms } = deploymentOf(given, await stackState(stackName));
  print(
    alarms.length > 0
      ? `If one of these alarms fires, CloudFormation takes the deployment back: ${alarms.join(', ')}.`
      : 'No alarm takes this deployment back.',
  );
  const deployed = await run('cdk', ['deploy', stackName, ...args]);
  if (deployed !== 0) return deployed;
  // Without the alarms, which are of another stack and perhaps of another region.
  const argsOfProbe = given.filter((one) => one !== withoutAlarms);
  const probed = probeName === undefined ? 0 : await run('cdk', ['deploy', probeName, ...argsOfProbe]);
  return probed === 0 ? smokeOf(props) : probed;
}

async function smokeOf({ stackName, hasKey, run, print }: DeployProps): Promise<number> {
  const url = (await stackState(stackName))?.outputs.ApiUrl;
  if (url === undefined) throw new Error(`The stack ${stackName} has no output ApiUrl.`);
  if (!hasKey) {
    print(`Whether it works: npm run smoke -- ${url} <key of a SuperAdmin>`);
    return 0;
  }
  const failed = await run(process.execPath, ['bin/smoke.ts', url]);
  if (failed !== 0) print('lib/deployments.md says how to take a deployment back.');
  return failed;
}
