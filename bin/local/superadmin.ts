import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OperatorAccess } from '#lib/local/operator-access.ts';
import { type Credentials, newSecret } from '#platform/access/api-key.ts';
import { SuperAdminStore } from '../operator/superadmin-store.ts';

/**
 * The SuperAdmin key of a local stack: the configured one, otherwise one that is made once and stored with the data.
 */
export async function superAdminOf(
  { tableName, failures: _, ...client }: OperatorAccess,
  dataDir: string,
  configured: Credentials | undefined,
): Promise<Credentials> {
  const credentials = configured ?? storedKey(dataDir);
  const store = new SuperAdminStore(DynamoDBDocumentClient.from(new DynamoDBClient(client)), tableName);
  await store.put(credentials);
  return credentials;
}

function storedKey(dataDir: string): Credentials {
  const file = join(dataDir, 'superadmin.json');
  if (!existsSync(file)) {
    writeFileSync(file, JSON.stringify({ username: 'operator', secret: newSecret() }), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
