import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientOptions } from '#platform/aws-client.ts';

const client = new DynamoDBClient(clientOptions);
// These middlewares are a tenth of what a request costs us. They write a log that we do not use, report the SDK version
// to AWS, and detect loops through services that do not call functions.
for (const name of ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware']) {
  client.middlewareStack.remove(name);
}

// The SDK makes a new signer for each request, from a copy of the whole configuration. All requests to the table have the
// same region and service, and the signer asks for the credentials each time.
const makeSigner = client.config.signer;
let signer: ReturnType<typeof makeSigner> | undefined;
client.config.signer = (scheme) => {
  signer ??= makeSigner(scheme).catch((error: unknown) => {
    signer = undefined; // one that could not be made is made anew
    throw error;
  });
  return signer;
};

/** One client for all invocations of an execution environment, so connections stay open. */
export const table = DynamoDBDocumentClient.from(client, {
  // The library asks an object for its constructor, so it takes a map with a caller's field of that name for an instance
  // of a class.
  marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
});

export function tableName(): string {
  const name = process.env.TABLE_NAME;
  if (!name) throw new Error('TABLE_NAME is not set');
  return name;
}
