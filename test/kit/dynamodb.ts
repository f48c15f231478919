import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';

/** The address of another DynamoDB than our engine, where the tests are to run on one. */
export const testDynamoDb = (): string | undefined => process.env.TEST_DYNAMODB_ENDPOINT;

/** Where a test has its tables: our engine, in memory, unless another DynamoDB is named. */
export async function startTestDynamoDb(): Promise<Pick<RunningDynamoDb, 'endpoint' | 'stop'>> {
  const endpoint = testDynamoDb();
  return endpoint ? { endpoint, stop: async () => {} } : startDynamoDb({ file: ':memory:' });
}
