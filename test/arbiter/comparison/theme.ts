import { marshall } from '@aws-sdk/util-dynamodb';

/** `{ PutItem: { Item: … } }`. Where a table's name is missing it is that of the theme's table. */
export type Request = Record<string, object>;

export interface Case {
  /** What the table holds beside the theme's items. */
  given?: object[];
  /** Sent one after the other, whatever the answers are. */
  requests: Request[];
  /** Follows LastEvaluatedKey, and compares page by page. */
  everyPage?: boolean;
  /** Compares also what the table's stream brings. */
  stream?: boolean;
}

/** Requests on one table. */
export interface Theme {
  name: string;
  table: object;
  /** What the table holds before each request. */
  given?: object[];
  /** A new table for each request: for what changes the table itself. */
  tableEach?: boolean;
  cases: Record<string, Request | Request[] | Case>;
}

export const tableName = 'things';
/** Where a request makes a table. */
export const otherTable = 'others';

/** In DynamoDB's JSON. A `Set` becomes a set. */
export const item = (plain: Record<string, unknown>) => marshall(plain, { removeUndefinedValues: false });
export const values = (plain: Record<string, unknown>) => item(plain);

export const caseOf = (given: Request | Request[] | Case): Case => {
  if (Array.isArray(given)) return { requests: given };
  return 'requests' in given ? (given as Case) : { requests: [given as Request] };
};

const attribute = (AttributeName: string, AttributeType: string) => ({ AttributeName, AttributeType });
export const keySchema = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range ? [{ AttributeName: range, KeyType: 'RANGE' }] : []),
];
export const attributes = (types: Record<string, string>) =>
  Object.entries(types).map(([name, type]) => attribute(name, type));

const index = (IndexName: string, KeySchema: object[], Projection: object) => ({ IndexName, KeySchema, Projection });

/** A text and a number as key, and an index of each projection. */
export const things = {
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributes({ pk: 'S', sk: 'N', shop: 'S', at: 'N' }),
  KeySchema: keySchema('pk', 'sk'),
  GlobalSecondaryIndexes: [
    index('byShop', keySchema('shop', 'at'), { ProjectionType: 'ALL' }),
    index('keysByShop', keySchema('shop'), { ProjectionType: 'KEYS_ONLY' }),
    index('namesByShop', keySchema('shop', 'at'), { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] }),
  ],
};

/** Without sort key or index. */
export const plainThings = (type = 'S') => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributes({ pk: type }),
  KeySchema: keySchema('pk'),
});

/** A partition key and a sort key of this type. */
export const sortedThings = (type: string) => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributes({ pk: 'S', sk: type }),
  KeySchema: keySchema('pk', 'sk'),
});

export const key = (sk = 1, pk = 'a') => item({ pk, sk });
