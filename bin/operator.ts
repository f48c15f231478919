import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OperatorAccess } from '#lib/local/operator-access.ts';
import { newSecret } from '#platform/access/api-key.ts';
import { SuperAdminStore } from '#platform/access/superadmin-store.ts';

const usage = `SuperAdmin keys, which the API does not give out.

  npm run operator -- create USERNAME     makes a key and shows its secret, once
  npm run operator -- list                shows the keys, without their secrets
  npm run operator -- revoke TOKEN_ID     ends a key at once

They go to the local stack of DATA_DIR (default .local), which must be running. For a deployed table:

  --table NAME     the stack's output TableName, with the AWS credentials and region of your environment`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { table: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [command, argument] = positionals;
  const run = commands[command as keyof typeof commands];
  if (values.help || positionals.length === 0) return void console.log(usage);
  if (!run) throw new Error(`There is no command ${command}.\n\n${usage}`);
  await run(storeFor(values.table), argument);
}

const commands = {
  async create(store: SuperAdminStore, username: string | undefined) {
    if (!username || username.includes(':') || username.length > 255) {
      throw new Error('Give a username without a colon: npm run operator -- create USERNAME');
    }
    const secret = newSecret();
    const { token_id } = await store.put({ username, secret });
    console.log(`${username}:${secret}\n\nToken id ${token_id}. The secret is not shown again.`);
  },

  async list(store: SuperAdminStore) {
    const keys = await store.list();
    if (keys.length === 0) console.log('There are no SuperAdmin keys.');
    for (const { token_id, username, created_at } of keys) console.log(`${token_id}  ${created_at}  ${username}`);
  },

  async revoke(store: SuperAdminStore, tokenId: string | undefined) {
    if (!tokenId) throw new Error('Give the token id: npm run operator -- revoke TOKEN_ID');
    if (!(await store.revoke(tokenId))) throw new Error(`There is no SuperAdmin key with the token id ${tokenId}.`);
    console.log(`${tokenId} is revoked.`);
  },
};

function storeFor(table: string | undefined): SuperAdminStore {
  const { tableName, ...client } = table
    ? { tableName: table }
    : OperatorAccess.read(resolve(process.env.DATA_DIR || '.local'));
  return new SuperAdminStore(DynamoDBDocumentClient.from(new DynamoDBClient(client)), tableName);
}

main().catch((error: Error & { code?: string }) => {
  const notRunning = error.code === 'ECONNREFUSED' && 'The local stack is not running: start it with npm start.';
  console.error(notRunning || error.message);
  process.exit(1);
});
