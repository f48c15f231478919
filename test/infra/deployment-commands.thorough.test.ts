import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '#test/e2e/kit/processes.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/kit/loopback-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
const commands = join(folder, 'commands');

/** The stacks that CloudFormation has, with their outputs. Whatever else is asked is refused. */
let stacks: Record<string, Record<string, string>>;
let account: LoopbackServer;

beforeAll(async () => {
  account = await serveOnLoopback(answer);
  const cdk = join(folder, 'cdk');
  writeFileSync(cdk, `#!/bin/sh\necho "cdk $*" >> '${commands}'\nexit "$CDK_STATUS"\n`);
  chmodSync(cdk, 0o755);
});

afterAll(async () => {
  await account[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => rmSync(commands, { force: true }));

async function answer(request: IncomingMessage, response: ServerResponse) {
  const asked = new URLSearchParams(await text(request));
  const name = asked.get('StackName') ?? '';
  if (asked.get('Action') !== 'DescribeStacks') return response.writeHead(403).end();
  if (!stacks[name]) return response.writeHead(400).end(errorText(`Stack with id ${name} does not exist`));
  response.end(stackText(name, stacks[name]));
}

const errorText = (message: string) =>
  `<ErrorResponse><Error><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`;

function stackText(name: string, outputs: Record<string, string>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<StackName>${name}</StackName><CreationTime>2026-11-19T00:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

/** Runs a command that can reach nothing but this account. */
async function ran(script: string, args: string[], settings: Record<string, string> = {}) {
  const program = run(script, args, {
    HOME: folder,
    PATH: folder + delimiter + process.env.PATH,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: account.url,
    ...settings,
  });
  const status = await program.ended;
  return { status, stdout: program.stdout(), stderr: program.stderr() };
}

describe('npm run deploy', () => {
  const deploy = (settings: Record<string, string>) =>
    ran('deploy.ts', ['-c', 'stage=dev'], { SUPERADMIN_KEY: 'root:secret', ...settings });
  const asked = () => (existsSync(commands) ? readFileSync(commands, 'utf8') : '').trim().split('\n');

  beforeEach(() => {
    stacks = { 'PostPurchase-dev': { ApiUrl: account.url } };
  });

  test('ends as a deployment that failed, and does not ask whether it works', async () => {
    const { status, stdout } = await deploy({ CDK_STATUS: '3' });
    expect([status, asked()]).toEqual([3, ['cdk deploy PostPurchase-dev -c stage=dev']]);
    expect(stdout).not.toContain(account.url);
  });

  test('fails if what is deployed does not work', async () => {
    const { status, stdout } = await deploy({ CDK_STATUS: '0' });
    expect([status, asked()]).toEqual([1, ['cdk deploy PostPurchase-dev -c stage=dev']]);
    expect(stdout).toContain(`${account.url} does not work`);
  });
});

describe('npm run preflight', () => {
  const preflight = (stage: string) => ran('preflight.ts', ['--stage', stage]);

  test('ends with 0 if nothing stops the deployment, although most could not be asked', async () => {
    stacks = { CDKToolkit: {}, 'PostPurchase-dev': {} };
    const { status, stdout } = await preflight('dev');
    expect(stdout).toMatch(/^ok +The stack: .*UPDATE_COMPLETE/m);
    expect(status).toBe(0);
  });

  test('ends with 1 if something stops the deployment', async () => {
    stacks = {};
    const { status, stdout } = await preflight('dev');
    expect(stdout).toMatch(/^STOPS +Credentials and bootstrap: /m);
    expect(status).toBe(1);
  });

  test('ends with 1 if there is no such stage', async () => {
    const { status, stderr } = await preflight('nowhere');
    expect(stderr).toContain('The stage "nowhere" has no file');
    expect(status).toBe(1);
  });
});
