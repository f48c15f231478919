import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { type AttributeValue, DescribeTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { type StreamRecord, toEventRecord } from '#lib/local/functions/event-sources/stream-record.ts';
import { unpackText } from '#platform/table/packed-text.ts';
import { unzip } from './unzip.ts';
import type { Word } from './words.ts';

/** One thing that is stored: an item, an entry of an index, an object, a message, a log. */
export interface Stored {
  kind: 'item' | 'index' | 'object' | 'message' | 'log' | 'file' | 'answer';
  where: string;
  /** As it is stored, to compare byte for byte. */
  raw: string;
  /** Everything in it that can be read, unpacked, in small letters. */
  readonly text: string;
}

export interface Place {
  dataDir: string;
  dynamodb: DynamoDBClient;
  streams: DynamoDBStreamsClient;
  tableName: string;
}

/**
 * Everything that the service has: what no operation shows, too. The table's stream is not in it: AWS forgets it after a day.
 * Nor are mails that were sent: they lie in the mailboxes of their readers, for which a file of the local stack stands.
 */
export async function everythingIn({ dataDir, dynamodb, tableName }: Place): Promise<Stored[]> {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(dynamodb[^/]*|(lock|mails)\.sqlite)$|-(wal|shm)$/.test(file));
  return [
    ...(await tableContent(dynamodb, tableName)),
    ...files.flatMap((file) => (file.endsWith('.sqlite') ? databaseContent(file) : [fileContent(file, dataDir)])),
  ];
}

/** The functions that have not read the table's stream to its end. */
export async function unreadStreams({ dataDir, streams }: Place): Promise<string[]> {
  const folder = join(dataDir, 'checkpoints');
  const unread: string[] = [];
  for (const file of readdirSync(folder)) {
    const { streamArn, position } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const { shardId: ShardId, sequenceNumber: SequenceNumber } = position;
    const from = SequenceNumber
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber }
      : { ShardIteratorType: 'TRIM_HORIZON' as const };
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ...from }),
    );
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator, Limit: 1 }));
    if (Records.length > 0) unread.push(file);
  }
  return unread;
}

/** As the service tells it, and not the SDK. */
const plain = ({ dynamodb, ...record }: _Record): StreamRecord => {
  const { ApproximateCreationDateTime: at, ...change } = dynamodb!;
  return {
    ...record,
    dynamodb: { ...change, ApproximateCreationDateTime: Math.floor(at!.getTime() / 1000) },
  } as StreamRecord;
};

/** The changes of the table that functions get, as texts. */
export async function recordsOf({ dataDir, streams }: Place): Promise<string[]> {
  const folder = join(dataDir, 'checkpoints');
  const file = readdirSync(folder)[0]!;
  const { streamArn: StreamArn, position } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  let { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId: position.shardId, ShardIteratorType: 'TRIM_HORIZON' }),
  );
  const found: string[] = [];
  while (ShardIterator) {
    const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    if (Records.length === 0) return found;
    found.push(...Records.map((record) => sorted(toEventRecord(plain(record), StreamArn))));
    ShardIterator = NextShardIterator;
  }
  return found;
}

async function tableContent(dynamodb: DynamoDBClient, TableName: string): Promise<Stored[]> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  const indexes = (Table!.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName!);
  const found: Stored[] = [];
  for (const IndexName of [undefined, ...indexes]) {
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const page = await dynamodb.send(new ScanCommand({ TableName, IndexName, ExclusiveStartKey }));
      for (const item of page.Items ?? []) found.push(itemContent(item, IndexName));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  return found;
}

function itemContent(item: Record<string, AttributeValue>, index?: string): Stored {
  const where = `${index ? `${index}: ` : ''}${item.pk?.S} / ${item.sk?.S}`;
  return storedAs(index ? 'index' : 'item', where, sorted(item), item);
}

/** Each row of each table: so a change of the emulators' own tables hides nothing. */
function databaseContent(file: string): Stored[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) => {
      if (String(name).startsWith('sqlite_')) return [];
      const rows = database.prepare(`SELECT * FROM "${name}"`).all();
      // What the console is made of is the same for all.
      const ofService = rows.filter(({ bucket }) => !String(bucket).includes('consolebucket'));
      return ofService.map((row) => rowContent(file, String(name), row));
    });
  } finally {
    database.close();
  }
}

function rowContent(file: string, table: string, row: Record<string, unknown>): Stored {
  const name = ['bucket', 'key', 'version', 'queue', 'id', 'name'].map((column) => row[column]).filter(Boolean);
  const kind = table === 'messages' ? 'message' : 'object';
  // What a receive of a message changes is not its content.
  const { state: _, ...content } = row;
  return storedAs(kind, `${file.split('/').at(-1)} ${table} ${name.join(' ')}`, sorted(content), row);
}

function fileContent(file: string, dataDir: string): Stored {
  const content = readFileSync(file);
  const kind = file.endsWith('.log') ? 'log' : 'file';
  return storedAs(kind, file.slice(dataDir.length + 1), content.toString('base64'), content);
}

/** What is within is read only when somebody looks for it. */
function storedAs(kind: Stored['kind'], where: string, raw: string, content: unknown): Stored {
  let text: string | undefined;
  return {
    kind,
    where,
    raw,
    get text() {
      text ??= readable(content);
      return text;
    },
  };
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part) => {
    if (part instanceof Uint8Array) return Buffer.from(part).toString('base64');
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

/** All texts within a value: names of fields too, and what is within packed, zipped or encoded texts. */
export function readable(value: unknown): string {
  const texts: string[] = [];
  collect(value, texts, 0);
  return texts.join('\n').toLowerCase();
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (depth > 30 || value === null || value === undefined) return;
  if (typeof value === 'string') collectText(value, texts, depth);
  else if (value instanceof Uint8Array) collectBytes(Buffer.from(value), texts, depth);
  else if (typeof value !== 'object') texts.push(String(value));
  else {
    for (const [name, part] of Object.entries(value)) {
      texts.push(name);
      collect(part, texts, depth + 1);
    }
  }
}

function collectText(text: string, texts: string[], depth: number): void {
  texts.push(text);
  if (text.includes('%')) texts.push(tried(() => decodeURIComponent(text)) ?? '');
  const json = /^[[{"]/.test(text) ? tried(() => JSON.parse(text)) : undefined;
  if (json !== undefined) collect(json, texts, depth + 1);
  else if (text.length >= 12 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    collectBytes(Buffer.from(text, 'base64'), texts, depth + 1);
  }
}

function collectBytes(bytes: Buffer, texts: string[], depth: number): void {
  // To try it costs more than all the rest, and hardly any text is packed.
  const mayBePacked = (bytes[0]! & 0x0f) === 8 || bytes[0] === 0x1f;
  const unpacked = mayBePacked ? (tried(() => unpackText(bytes)) ?? tried(() => gunzipSync(bytes))) : undefined;
  if (unpacked) collectText(unpacked.toString('utf8'), texts, depth + 1);
  else if (bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    collect(Object.fromEntries(unzip(bytes)), texts, depth + 1);
  else collectText(bytes.toString('utf8'), texts, depth + 1);
}

function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Where words are, a line for each place. */
export function hitsIn(stored: readonly Stored[], words: readonly Word[]): string[] {
  const find = finderOf(words);
  return stored.flatMap(({ kind, where, text }) => {
    const hits = find(text);
    return hits.length === 0 ? [] : [`${kind} ${where}: ${hits.map((hit) => `${hit.text} (${hit.place})`).join(', ')}`];
  });
}

/** Finds words in a text. Those that we made ourselves have a form by which one look finds them all. */
export function finderOf(words: readonly Word[]): (text: string) => Word[] {
  const own = new Map(words.filter(({ text }) => /^q[a-z]{2}x\d{4}$/.test(text)).map((word) => [word.text, word]));
  const others = words.filter(({ text }) => !own.has(text));
  return (text) => [
    ...[...new Set(text.match(/q[a-z]{2}x\d{4}/g))].flatMap((found) => own.get(found) ?? []),
    ...others.filter((word) => text.includes(word.text)),
  ];
}
