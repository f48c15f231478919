import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfiguration } from '#lib/local/configuration.ts';
import { OperatorAccess } from '#lib/local/operator-access.ts';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { onStopSignals } from './local/stop-signals.ts';
import { superAdminOf } from './local/superadmin.ts';

process.env.TZ = 'UTC'; // as in Lambda, for the functions' workers too

/** `npm start`: the service on this machine, from the same template that `cdk deploy` deploys. */
async function main(): Promise<void> {
  const { port, dataDir, superAdminKey, retryBaseSeconds, integrationTargets, assembly } = readConfiguration(
    process.env,
  );
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const stack = await startLocalStack({
    assembly: assembly ?? (() => synthesized(dataDir)),
    port,
    dataDir,
    environment: {
      ALLOW_LOCAL_TARGETS: 'true',
      RETRY_BASE_SECONDS: String(retryBaseSeconds),
      ...(integrationTargets && { INTEGRATION_TARGETS: integrationTargets }),
    },
    log: (line) => console.error(line),
  });
  onStopSignals(process, { stop: () => stopAndExit(stack).catch(fail), endAtOnce: () => process.exit(1) });
  const access = { tableName: stack.outputs.TableName!, ...stack.clientConfig };
  OperatorAccess.write(dataDir, access);
  const credentials = await superAdminOf(access, dataDir, superAdminKey);
  console.log(banner(stack.url, credentials));
}

/** Loads the CDK only if a template must be made, because it is the slowest part of the start. */
async function synthesized(dataDir: string): Promise<string> {
  process.env.CDK_VALIDATION = 'false'; // the tests and `cdk deploy` hold the template against CloudFormation's rules
  const { synthesize } = await import('#lib/synthesize.ts');
  return synthesize(resolve(dataDir, 'build'));
}

async function stopAndExit(stack: LocalStack): Promise<void> {
  await stack.stop();
  process.exit(0);
}

function banner(url: string, { username, secret }: { username: string; secret: string }): string {
  return `
The post-purchase service is ready.

  API          ${url}
  Docs         ${url}/docs
  SuperAdmin   ${username}:${secret}

To create a shop, run:

  curl -u '${username}:${secret}' -H 'Content-Type: application/json' \\
    -d '{"name": "My shop", "slug": "my-shop"}' ${url}/v1/shops

Press Ctrl-C to stop the service. Your data stays on this machine.`;
}

function fail(error: unknown): never {
  const { message, stack } = error as Error;
  // A message of one line is written for the person at the terminal. Any other message is a bug and needs its stack.
  console.error(message.includes('\n') || process.env.DEBUG ? stack : message);
  process.exit(1);
}

main().catch(fail);
