import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { deploy } from '#lib/deployment/deploy.ts';
import { stageIn, withoutAlarms } from '#lib/deployment/deploy-arguments.ts';
import { loadStage } from '#lib/stage.ts';
import { stackNamesOf } from '#lib/synthesize.ts';

const usage = `Deploy a stage: cdk deploy, watched by the alarms of the deployed stack, and smoke after it.

  npm run deploy -- -c stage=NAME      Also takes what cdk deploy takes, except --profile and --region:
                                       set AWS_PROFILE and AWS_REGION.

  ${withoutAlarms}                     No alarm takes the deployment back: for what mends a fault while its alarm rings.
  SUPERADMIN_KEY=username:secret       Then npm run smoke runs at the end.`;

async function main(given: readonly string[]): Promise<number> {
  if (given.includes('--help')) {
    print(usage);
    return 0;
  }
  const stageName = stageIn(given);
  const names = stackNamesOf(stageName, await loadStage(stageName));
  return deploy({ ...names, given, hasKey: Boolean(process.env.SUPERADMIN_KEY), run, print });
}

async function run(command: string, args: readonly string[]): Promise<number> {
  const [status] = await once(spawn(command, args, { stdio: 'inherit' }), 'close');
  return status ?? 1;
}

const print = (line: string): void => console.log(line);

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
