import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stackState } from '#lib/deployment/account.ts';
import { deploymentOf, stageIn, withoutAlarms } from '#lib/deployment/deploy-arguments.ts';
import { loadStage, probedHostOf } from '#lib/stage.ts';
import { probeNameOf, stackNameOf } from '#lib/synthesize.ts';

const usage = `Deploy a stage: cdk deploy, watched by the alarms of the deployed stack, and smoke after it.

  npm run deploy -- -c stage=NAME      Also takes whatever cdk deploy takes.

  ${withoutAlarms}                     No alarm takes the deployment back: for what mends a fault while its alarm rings.
  SUPERADMIN_KEY=username:secret       Then npm run smoke runs at the end.`;

async function main(given: readonly string[]): Promise<number> {
  if (given.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const stageName = stageIn(given);
  const stackName = stackNameOf(stageName);
  const { args, alarms } = deploymentOf(given, await stackState(stackName));
  console.log(
    alarms.length > 0
      ? `If one of these alarms fires, CloudFormation takes the deployment back: ${alarms.join(', ')}.`
      : 'No alarm takes this deployment back.',
  );
  const deployed = await run('cdk', ['deploy', stackName, ...args]);
  if (deployed !== 0) return deployed;
  // Without the alarms, which are of another stack and perhaps of another region.
  const probed = probedHostOf(await loadStage(stageName)) !== undefined;
  const probe = probed
    ? await run('cdk', ['deploy', probeNameOf(stageName), ...given.filter((one) => one !== withoutAlarms)])
    : 0;
  return probe === 0 ? smokeOf(stackName) : probe;
}

async function smokeOf(stackName: string): Promise<number> {
  const url = (await stackState(stackName))?.outputs.ApiUrl;
  if (url === undefined) throw new Error(`The stack ${stackName} has no output ApiUrl.`);
  if (!process.env.SUPERADMIN_KEY) {
    console.log(`Whether it works: npm run smoke -- ${url} <key of a SuperAdmin>`);
    return 0;
  }
  const failed = await run(process.execPath, ['bin/smoke.ts', url]);
  if (failed !== 0) console.log('lib/deployments.md says how to take a deployment back.');
  return failed;
}

async function run(command: string, args: readonly string[]): Promise<number> {
  const [status] = await once(spawn(command, args, { stdio: 'inherit' }), 'close');
  return status ?? 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
