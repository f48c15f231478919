import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type ApiKeyItem, type Credentials, superAdminKey } from '#platform/access/api-key.ts';
import { keyOf, partitionOf } from '#platform/table/keys.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

/** The API does not create SuperAdmin keys. The operator's tool and the local stack write them to the table. */
export class SuperAdminStore {
  readonly #table: DynamoDBDocumentClient;
  readonly #tableName: string;

  constructor(table: DynamoDBDocumentClient, tableName: string) {
    this.#table = table;
    this.#tableName = tableName;
  }

  /** Writing the same credentials again changes only `created_at`. */
  async put(credentials: Credentials): Promise<ApiKeyItem> {
    const { item } = superAdminKey(credentials, new Date());
    await this.#table.send(new PutCommand({ TableName: this.#tableName, Item: item }));
    return item;
  }

  async list(): Promise<ApiKeyItem[]> {
    const pages = paginateQuery(
      { client: this.#table },
      {
        TableName: this.#tableName,
        IndexName: 'lists' satisfies IndexName,
        KeyConditionExpression: 'list_pk = :superAdmins',
        ExpressionAttributeValues: { ':superAdmins': partitionOf.superAdmins() },
      },
    );
    const keys: ApiKeyItem[] = [];
    for await (const { Items = [] } of pages) keys.push(...(Items as ApiKeyItem[]));
    return keys;
  }

  /** Returns whether the key existed. */
  async revoke(tokenId: string): Promise<boolean> {
    const key = (await this.list()).find(({ token_id }) => token_id === tokenId);
    if (!key) return false;
    await this.#table.send(new DeleteCommand({ TableName: this.#tableName, Key: keyOf.apiKey(key.username, tokenId) }));
    return true;
  }
}
