import type { Request } from './theme.ts';

/** What an engine answered, in a form in which two can be compared. */
export interface Answer {
  status: number;
  /** Of an error. */
  type?: string;
  message?: string;
  reasons?: unknown;
  capacity?: unknown;
  body: unknown;
}

const streamsOperations = new Set(['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords']);
const timeout = 20_000;
// Nobody checks it; DynamoDB Local wants to see one.
const authorization =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none';

export async function ask(endpoint: string, request: Request): Promise<{ status: number; content: Content }> {
  const [operation, input] = Object.entries(request)[0]!;
  const service = streamsOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${service}.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization,
    },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(timeout),
  });
  return { status: answer.status, content: (await answer.json()) as Content };
}

export type Content = Record<string, unknown>;

export function answerOf(request: Request, { status, content }: { status: number; content: Content }): Answer {
  const { __type, message, Message, CancellationReasons, ConsumedCapacity, ...body } = content;
  return {
    status,
    ...(__type !== undefined && { type: String(__type) }),
    // AWS spells it either way, and clients read both.
    ...(status !== 200 && { message: String(message ?? Message ?? '') }),
    ...(CancellationReasons !== undefined && { reasons: comparable(CancellationReasons) }),
    ...(ConsumedCapacity !== undefined && { capacity: comparable(ConsumedCapacity) }),
    body: comparable(unordered(request, body)),
  };
}

/** A scan and a batch promise no order. */
function unordered(request: Request, body: Content): Content {
  if ('Scan' in request && Array.isArray(body.Items)) return { ...body, Items: sorted(body.Items) };
  if (!('BatchGetItem' in request) || !body.Responses) return body;
  const Responses = Object.entries(body.Responses).map(([table, items]) => [table, sorted(items as unknown[])]);
  return { ...body, Responses: Object.fromEntries(Responses) };
}

export const sorted = (list: unknown[]): unknown[] =>
  list.map(comparable).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));

/** The order of an object's names means nothing. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

const sets = new Set(['SS', 'NS', 'BS']);
const different = /DateTime$|^(TableId|LatestStreamLabel|StreamLabel|ShardId|StartingSequenceNumber)$/;

/** Without what differs between any two tables, and with sets in one order. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string') return value.replace(/(\/stream\/)\d{4}-\d\d-\d\dT[\d:.]+/, '$1…');
  if (!value || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (different.test(name)) return [name, '…'];
      if (sets.has(name) && Array.isArray(inner)) return [name, sorted(inner)];
      return [name, comparable(inner)];
    }),
  );
}
