import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OperatorAccess } from '#lib/local/operator-access.ts';
import { newSecret } from '#platform/access/api-key.ts';
import { SuperAdminStore } from '#platform/access/superadmin-store.ts';

const usage = `Manage SuperAdmin keys. The API cannot create them.

  npm run operator -- create USERNAME     Create a key and show its secret once.
  npm run operator -- list                List the keys without their secrets.
  npm run operator -- revoke TOKEN_ID     Revoke a key immediately.

The commands use the local stack of DATA_DIR (default: .local). The stack must be running.
To use a deployed table, add this option:

  --table NAME     The name of the table: the stack's output TableName.
                   The command uses the AWS credentials and the region of your environment.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { table: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [command, argument] = positionals;
  const run = commands[command as keyof typeof commands];
  if (values.help || positionals.length === 0) return void console.log(usage);
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
    if (!(await store.revoke(tokenId))) throw new Error(`No SuperAdmin key has the token id ${tokenId}.`);
    console.log(`The key ${tokenId} is revoked.`);
  },
};

function storeFor(table: string | undefined): SuperAdminStore {
  const { tableName, ...client } = table
    ? { tableName: table }
    : OperatorAccess.read(resolve(process.env.DATA_DIR || '.local'));
  return new SuperAdminStore(DynamoDBDocumentClient.from(new DynamoDBClient(client)), tableName);
}

main().catch((error: Error & { code?: string }) => {
  const notRunning = error.code === 'ECONNREFUSED' && 'The local stack is not running. Start it with npm start.';
  console.error(notRunning || error.message);
  process.exit(1);
});
