import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const client = new DynamoDBClient({});
// A tenth of what a request costs us goes into a log that nobody keeps, and into telling AWS of the SDK and of loops
// through services that do not call functions.
for (const name of ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware']) {
  client.middlewareStack.remove(name);
}

/** One client for all invocations of an execution environment: connections are kept open. */
export const table = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
});

export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set');
  return name;
}
