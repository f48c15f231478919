import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientOptions } from '#platform/aws-client.ts';
import { required } from '#platform/environment.ts';
import { withFastConfig, withoutLogger, withoutUserAgent } from '#platform/sdk-shortcuts.ts';

const client = new DynamoDBClient(clientOptions);
for (const change of [withoutLogger, withoutUserAgent, withFastConfig]) change(client);

/** One client for all invocations of an execution environment, so connections stay open. */
export const table = DynamoDBDocumentClient.from(client, {
  // The library asks an object for its constructor, so it takes a map with a caller's field of that name for an instance
  // of a class.
  marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
});

export const tableName = () => required('TABLE_NAME');
