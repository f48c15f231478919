import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { SuperAdminStore } from '../../../bin/operator/superadmin-store.ts';
import { superAdmin } from './local-stack.ts';

/** A stack in the test's own process with its data in memory, for tests that start many. */
export async function startInProcess(
  assembly: string,
  environment: Record<string, string> = {},
): Promise<LocalStack & AsyncDisposable> {
  const stack = await startLocalStack({ assembly, port: 0, dataDir: undefined, environment });
  const client = new DynamoDBClient(stack.clientConfig);
  const [username, secret] = superAdmin.split(':') as [string, string];
  await new SuperAdminStore(DynamoDBDocumentClient.from(client), stack.outputs.TableName!).put({ username, secret });
  client.destroy();
  return { ...stack, [Symbol.asyncDispose]: () => stack.stop() };
}
