import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test, vi } from 'vitest';
import { deploy } from '#lib/deployment/deploy.ts';
import { alarmsOutput } from '#lib/deployment/deploy-arguments.ts';

const stacks = mockClient(CloudFormationClient);

const url = 'https://service.example.com';

beforeEach(() => {
  stacks.reset();
  stackIs({ ApiUrl: url });
});

function stackIs(outputs: Record<string, string>) {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const stack = { StackName: 'any', CreationTime: new Date(), StackStatus: 'UPDATE_COMPLETE' as const, Outputs };
  stacks.on(DescribeStacksCommand, { StackName: 'Service-prod' }).resolves({ Stacks: [stack] });
}

/** The exit codes are of the commands, by how their lines begin. The others end well. */
async function deployed(exitCodes: Record<string, number> = {}, more: Partial<Parameters<typeof deploy>[0]> = {}) {
  const commands: string[] = [];
  const printed: string[] = [];
  const status = await deploy({
    given: ['-c', 'stage=prod'],
    stackName: 'Service-prod',
    probeName: 'Service-prod-probe',
    hasKey: true,
    run: async (command, args) => {
      const line = [command === process.execPath ? 'node' : command, ...args].join(' ');
      commands.push(line);
      return Object.entries(exitCodes).find(([begin]) => line.startsWith(begin))?.[1] ?? 0;
    },
    print: (line) => printed.push(line),
    ...more,
  });
  return { status, commands, printed };
}

const service = 'cdk deploy Service-prod -c stage=prod';
const probe = 'cdk deploy Service-prod-probe -c stage=prod';
const smoke = `node bin/smoke.ts ${url}`;

test('a stage is deployed, then what asks from outside, and then it is asked whether it works', async () => {
  expect(await deployed()).toMatchObject({ status: 0, commands: [service, probe, smoke] });
});

test('a stage that nobody asks from outside has no second stack', async () => {
  expect((await deployed({}, { probeName: undefined })).commands).toEqual([service, smoke]);
});

test('after a deployment that failed nothing else is deployed or asked, and its exit code is the answer', async () => {
  expect(await deployed({ [service]: 3 })).toMatchObject({ status: 3, commands: [service] });
  expect(await deployed({ [probe]: 4 })).toMatchObject({ status: 4, commands: [service, probe] });
});

test('a deployment that does not work is a failure, and it is said how to take it back', async () => {
  const { status, printed } = await deployed({ [smoke]: 5 });
  expect(status).toBe(5);
  expect(printed.at(-1)).toMatch(/take a deployment back/);
});

test('without a key it is said how to ask whether it works', async () => {
  const { status, commands, printed } = await deployed({}, { hasKey: false });
  expect([status, commands]).toEqual([0, [service, probe]]);
  expect(printed.at(-1)).toContain(`npm run smoke -- ${url} `);
});

test('the alarms of the service watch its own deployment and not that of the stack in another region', async () => {
  const arn = 'arn:aws:cloudwatch:eu-central-1:111122223333:alarm:ApiServerErrors';
  stackIs({ ApiUrl: url, [alarmsOutput]: JSON.stringify({ ApiServerErrors: arn }) });
  const watched = await deployed();
  expect(watched.commands).toEqual([
    expect.stringContaining(`${service} --rollback-trigger-alarm-arns ${arn}`),
    probe,
    smoke,
  ]);
  expect(watched.printed[0]).toMatch(/ApiServerErrors\.$/);
  const unwatched = await deployed({}, { given: ['-c', 'stage=prod', '--without-alarms'] });
  expect(unwatched.commands).toEqual([
    `${service} --rollback-trigger-alarm-arns none --monitoring-time-minutes 0`,
    probe,
    smoke,
  ]);
  expect(unwatched.printed[0]).toBe('No alarm takes this deployment back.');
});

test('to another account than that of the environment nothing is deployed, and nobody is asked', async () => {
  const run = vi.fn();
  await expect(deployed({}, { given: ['-c', 'stage=prod', '--profile', 'other'], run })).rejects.toThrow('AWS_PROFILE');
  expect(run).not.toHaveBeenCalled();
  expect(stacks.calls()).toEqual([]);
});

test('a deployed stack without an address cannot be asked', async () => {
  stackIs({});
  await expect(deployed()).rejects.toThrow('The stack Service-prod has no output ApiUrl.');
});
