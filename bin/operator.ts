import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OperatorAccess } from '#lib/local/operator-access.ts';
import { newSecret } from '#platform/access/api-key.ts';
import { clientOptions } from '#platform/aws-client.ts';
import { onStopSignals } from './local/stop-signals.ts';
import { eraseAgain } from './operator/erase-again.ts';
import type { Run } from './operator/failure.ts';
import { listFailures, type Place, replayFailures } from './operator/failures.ts';
import { recount } from './operator/recount.ts';
import { learnShop } from './operator/recount-arrivals.ts';
import { SuperAdminStore } from './operator/superadmin-store.ts';

const usage = `Manage SuperAdmin keys, which the API cannot create, and what the service gave up.

  npm run operator -- create USERNAME     Create a key and show its secret once.
  npm run operator -- list                List the keys without their secrets.
  npm run operator -- revoke TOKEN_ID     Revoke a key immediately.
  npm run operator -- failures [NAME]     List what was given up: events, updates, runs, what was due and others.
  npm run operator -- replay [NAME]       Have it handled again, after the fault is mended. It can be
                                          interrupted (Ctrl-C) and begun again.
  npm run operator -- recount [SHOP]      Count a shop anew: its lists, for their far pages and totals, its figures, and
                                          what these say about arrivals; without a shop, the lists of all shops.
                                          It can be interrupted, too.
    --counted-since TIME                  When the version was deployed that counts them, for a shop that never rests.
  npm run operator -- erase-again [SHOP]  After the table was restored from a backup: erase again what the ledger says,
                                          of one shop or of all. Call it again to see how many orders are left.

The commands use the local stack of DATA_DIR (default: .local). The stack must be running.
To use a deployed stack, add one of these options:

  --table NAME        For keys, recount and erase-again: the stack's output TableName.
  --ledger NAME       For erase-again: the stack's output ErasureLedgerBucketName.
  --failures JSON     For failures and replay: the stack's output Failures.
                      The commands use the AWS credentials and the region of your environment.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      table: { type: 'string' },
      failures: { type: 'string' },
      ledger: { type: 'string' },
      'counted-since': { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const [command, argument] = positionals;
  if (values.help || positionals.length === 0) return void console.log(usage);
  const runOnFailures = failureCommands[command as keyof typeof failureCommands];
  if (runOnFailures) return runOnFailures(placeFor(values.failures), argument);
  if (command === 'recount') return recountShop(values.table, argument, values['counted-since']);
  if (command === 'erase-again') return eraseOnceMore(values, argument);
  const run = commands[command as keyof typeof commands];
  if (!run) throw new Error(`The command ${command} does not exist.\n\n${usage}`);
  await run(storeFor(values.table), argument);
}

const commands = {
  async create(store: SuperAdminStore, username: string | undefined) {
    if (!username || username.includes(':') || username.length > 255) {
      throw new Error('Enter a username of up to 255 characters without a colon: npm run operator -- create USERNAME');
    }
    const secret = newSecret();
    const { token_id } = await store.put({ username, secret });
    console.log(`${username}:${secret}\n\nToken id ${token_id}. Save the secret now. You cannot see it again.`);
  },

  async list(store: SuperAdminStore) {
    const keys = await store.list();
    if (keys.length === 0) console.log('There are no SuperAdmin keys.');
    for (const { token_id, username, created_at } of keys) console.log(`${token_id}  ${created_at}  ${username}`);
  },

  async revoke(store: SuperAdminStore, tokenId: string | undefined) {
    if (!tokenId) throw new Error('Enter the token id: npm run operator -- revoke TOKEN_ID');
    if (!(await store.revoke(tokenId))) {
      throw new Error(`No SuperAdmin key is listed with the token id ${tokenId}. If it is new, try again in a moment.`);
    }
    console.log(`The key ${tokenId} is revoked.`);
  },
};

const failureCommands = {
  async failures(place: Place, name: string | undefined) {
    const found = await listFailures(place, name, run());
    if (found.length === 0) console.log('Nothing was given up.');
    for (const { since, queue, records, reason } of found) console.log(`${since}  ${queue}  ${records}  ${reason}`);
  },

  async replay(place: Place, name: string | undefined) {
    const { signal, ...more } = run();
    const count = await replayFailures(place, name, { signal, ...more });
    if (signal.aborted) console.log(`${count} sent again before the interruption. Replay again for the rest.`);
    else console.log(`${count} sent again. What fails again is listed again.`);
  },
};

function run(): Pick<Run, 'say' | 'signal'> {
  const ending = new AbortController();
  onStopSignals(process, { stop: () => ending.abort(), endAtOnce: () => process.exit(1) });
  // What a command answers goes to the standard output, what it does meanwhile to the other.
  return { say: (line) => console.error(line), signal: ending.signal };
}

function placeFor(json: string | undefined): Place {
  const { failures, ...access } = json ? { failures: JSON.parse(json) } : localAccess();
  const client = 'endpoint' in access ? access : {};
  const options = { ...clientOptions, ...client };
  return {
    failures,
    sqs: new SQSClient(options),
    s3: new S3Client({ ...options, forcePathStyle: true }),
    table: DynamoDBDocumentClient.from(new DynamoDBClient(options)),
  };
}

/** Longer than the stream takes to be counted. */
const catchUpMs = 120_000;

async function recountShop(tableOption: string | undefined, slug?: string, countedSince?: string): Promise<void> {
  const since = countedSince === undefined ? undefined : new Date(countedSince);
  if (since && Number.isNaN(since.getTime()))
    throw new Error('--counted-since is a time, such as 2026-11-16T12:00:00Z.');
  const { tableName, ...client } = tableOption ? { tableName: tableOption } : withoutFailures(localAccess());
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(client));
  useAsFunctionsDo(tableName, client);
  const catchUp = () => {
    console.error(`Counted once. In ${catchUpMs / 60_000} minutes it is counted again, to see what is only late.`);
    return pause(catchUpMs);
  };
  const options = { now: new Date(), countedSince: since };
  const result = await recount({ table, tableName, catchUp }, slug, options);
  const { compared, wrong, corrected, moving, leftAlone, removed } = result;
  console.log(`${compared} counters compared, ${wrong} wrong.`);
  console.log(`${corrected} counters corrected. ${removed} items of the former tree removed.`);
  for (const counter of moving) console.log(`still moving: ${counter}`);
  for (const name of leftAlone) console.log(`left alone, because orders of its time were erased: ${name}`);
  if (slug !== undefined) console.log(`${await learnShop(slug, new Date())} lanes learned anew.`);
  console.log(moving.length > 0 ? 'Recount again for those that were moving.' : 'The counters are complete.');
}

/** The client of the functions finds the table by its environment, which it reads with its first request. */
function useAsFunctionsDo(
  tableName: string,
  local: Partial<Pick<OperatorAccess, 'region' | 'endpoint' | 'credentials'>>,
) {
  const { region, endpoint, credentials } = local;
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ...(region && { AWS_REGION: region }),
    ...(endpoint && { AWS_ENDPOINT_URL: endpoint }),
    ...(credentials && {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
  });
}

interface LedgerOptions {
  table?: string;
  ledger?: string;
}

async function eraseOnceMore({ table, ledger }: LedgerOptions, shop: string | undefined): Promise<void> {
  if ((table === undefined) !== (ledger === undefined)) throw new Error('Name both: --table and --ledger.');
  const access = table && ledger ? { tableName: table, ledger } : withoutFailures(localAccess());
  const client = 'endpoint' in access ? access : {};
  const options = { ...clientOptions, ...client };
  const place = {
    table: DynamoDBDocumentClient.from(new DynamoDBClient(options)),
    tableName: access.tableName,
    s3: new S3Client({ ...options, forcePathStyle: true }),
    ledger: access.ledger,
  };
  const count = await eraseAgain(place, shop, new Date());
  console.log(
    count === 0
      ? 'All that is in the ledger is erased.'
      : `Being erased again, orders: ${count}. privacy-work does it from its next minute on. Call erase-again until it says that all is erased.`,
  );
}

const localAccess = () => OperatorAccess.read(resolve(process.env.DATA_DIR || '.local'));

const withoutFailures = ({ failures: _, ...access }: OperatorAccess) => access;

function storeFor(table: string | undefined): SuperAdminStore {
  const { tableName, ...client } = table ? { tableName: table } : withoutFailures(localAccess());
  return new SuperAdminStore(DynamoDBDocumentClient.from(new DynamoDBClient(client)), tableName);
}

main().catch((error: Error & { code?: string }) => {
  const notRunning = error.code === 'ECONNREFUSED' && 'The local stack is not running. Start it with npm start.';
  console.error(notRunning || error.message);
  process.exit(1);
});
