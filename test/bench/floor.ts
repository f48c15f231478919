import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** The smallest possible function with a table: only the document client. */
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const handler = (event: { pk: string; sk: string }) =>
  table.send(new GetCommand({ TableName: process.env.TABLE_NAME, Key: event }));
