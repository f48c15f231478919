import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfiguration } from '#lib/local/configuration.ts';
import { OperatorAccess } from '#lib/local/operator-access.ts';
import { startLocalStack } from '#lib/local/stack.ts';
import type { Credentials } from '#platform/access/api-key.ts';
import { LoginLink } from './local/login-link.ts';
import { onParentGone, onStopSignals } from './local/stop-signals.ts';
import { superAdminOf } from './local/superadmin.ts';
import { synthesized } from './local/synthesis.ts';

process.env.TZ = 'UTC'; // as in Lambda, also for the functions' workers

const stopping = new AbortController();

/** `npm start`: runs the service on this machine, from the same template that `cdk deploy` deploys. */
async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const { port, dataDir, others, superAdminKey, retryBaseSeconds, integrationTargets, assembly } = configuration;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const link = new LoginLink();
  const starting = startLocalStack({
    assembly: assembly ?? (() => makeTemplate(dataDir)),
    port,
    dataDir,
    others,
    environment: {
      ALLOW_LOCAL_TARGETS: 'true',
      RETRY_BASE_SECONDS: String(retryBaseSeconds),
      ...(integrationTargets && { INTEGRATION_TARGETS: integrationTargets }),
    },
    answers: (request, response) => link.answer(request, response),
    log: (line) => console.error(line),
  });
  const stop = () => {
    console.log('Stopping.');
    stopping.abort();
    stopAndExit(starting).catch(fail);
  };
  onStopSignals(process, { stop, endAtOnce: () => process.exit(1) });
  onParentGone(process, stop);
  const stack = await starting;
  const { TableName: tableName, Failures: failures, ErasureLedgerBucketName: ledger } = stack.outputs;
  const access = { tableName: tableName!, failures: JSON.parse(failures!), ledger: ledger!, ...stack.clientConfig };
  OperatorAccess.write(dataDir, access);
  const credentials = await superAdminOf(access, dataDir, superAdminKey);
  if (!stopping.signal.aborted) console.log(banner(stack.url, credentials, link.open(stack.url, credentials)));
}

function makeTemplate(dataDir: string): Promise<string> {
  console.log('Making the template: this takes about 15 seconds.');
  return synthesized(resolve(dataDir, 'build'), stopping.signal);
}

/** If the stack is still starting, the start is aborted and cleans up after itself. */
async function stopAndExit(starting: ReturnType<typeof startLocalStack>): Promise<void> {
  const stack = await starting.catch(() => undefined);
  await stack?.stop();
  process.exit(0);
}

function banner(url: string, { username, secret }: Credentials, consoleLink: string): string {
  return `
The post-purchase service is ready.

  API          ${url}
  Docs         ${url}/docs
  Mail         ${url}/mail
  Console      ${consoleLink}
               (logs your browser in, once; later: ${url}/console)
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

main().catch((error) => {
  if (!stopping.signal.aborted) fail(error);
});
