import type { StreamDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { expiredIterator, resourceNotFound, trimmedData, validation } from '../errors.ts';
import { choice, constraint, missing, optionalInteger, optionalText, type Request, requiredText } from '../request.ts';
import type { StreamRecord } from '../streams.ts';
import { isObject } from '../values.ts';
import { describeKey } from './table-description.ts';

const ITERATOR_TYPES = ['AFTER_SEQUENCE_NUMBER', 'TRIM_HORIZON', 'LATEST', 'AT_SEQUENCE_NUMBER'] as const;
const ITERATOR_LIFETIME_MS = 15 * 60 * 1000;
const MAX_RECORDS = 1000;

/** All texts have the same width, so they sort as the records do. */
const sequenceText = (sequence: number) => `1${String(sequence).padStart(20, '0')}`;

function sequenceOf(text: string): number {
  if (!/^1\d{20}$/.test(text)) throw validation(`Invalid SequenceNumber: ${text}`);
  return Number(text.slice(1));
}

const shardOf = (stream: StreamDefinition) => `shardId-${String(stream.created).padStart(20, '0')}-00000001`;

export function listStreams(engine: Engine, request: Request) {
  const tableName = optionalText(request, 'TableName');
  const limit = optionalInteger(request, 'Limit', 1) ?? 100;
  const start = optionalText(request, 'ExclusiveStartStreamArn') ?? '';
  const streams = engine.catalog
    .streams()
    .filter((stream) => (tableName === undefined || stream.tableName === tableName) && stream.arn > start)
    .sort((one, two) => (one.arn < two.arn ? -1 : 1));
  const page = streams.slice(0, limit);
  return {
    Streams: page.map((stream) => ({
      StreamArn: stream.arn,
      TableName: stream.tableName,
      StreamLabel: stream.label,
    })),
    ...(page.length < streams.length && { LastEvaluatedStreamArn: page.at(-1)?.arn }),
  };
}

export function describeStream(engine: Engine, request: Request) {
  const stream = engine.catalog.stream(requiredText(request, 'StreamArn'));
  const shard = {
    ShardId: shardOf(stream),
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceText(engine.streams.firstSequence(stream) ?? engine.streams.lastSequence() + 1),
      ...(!stream.enabled && { EndingSequenceNumber: sequenceText(engine.streams.lastSequence()) }),
    },
  };
  const afterShard = optionalText(request, 'ExclusiveStartShardId') === shard.ShardId;
  return {
    StreamDescription: {
      StreamArn: stream.arn,
      StreamLabel: stream.label,
      StreamStatus: stream.enabled ? 'ENABLED' : 'DISABLED',
      StreamViewType: stream.viewType,
      CreationRequestDateTime: stream.created / 1000,
      TableName: stream.tableName,
      KeySchema: describeKey(stream.key),
      Shards: afterShard ? [] : [shard],
    },
  };
}

export function getShardIterator(engine: Engine, request: Request) {
  const arn = requiredText(request, 'StreamArn');
  const shard = requiredText(request, 'ShardId');
  const type = choice(request, 'ShardIteratorType', ITERATOR_TYPES);
  if (!type) throw missing('ShardIteratorType');
  const stream = engine.catalog.stream(arn);
  if (shard !== shardOf(stream)) throw resourceNotFound(`Requested resource not found: Shard: ${shard} not found`);
  return { ShardIterator: writeIterator(engine, stream, startOf(engine, type, request)) };
}

function startOf(engine: Engine, type: (typeof ITERATOR_TYPES)[number], request: Request): number {
  if (type === 'TRIM_HORIZON') return 0;
  if (type === 'LATEST') return engine.streams.lastSequence();
  const sequence = sequenceOf(requiredText(request, 'SequenceNumber'));
  if (engine.streams.isTrimmed(sequence)) throw trimmedData();
  return type === 'AFTER_SEQUENCE_NUMBER' ? sequence : sequence - 1;
}

export function getRecords(engine: Engine, request: Request) {
  const { arn, after } = readIterator(engine, requiredText(request, 'ShardIterator'));
  const limit = optionalInteger(request, 'Limit', 1) ?? MAX_RECORDS;
  if (limit > MAX_RECORDS) {
    throw constraint('limit', String(limit), `Member must have value less than or equal to ${MAX_RECORDS}`);
  }
  const stream = engine.catalog.stream(arn);
  const records = engine.streams.read(stream, after, limit);
  const ended = !stream.enabled && records.length === 0;
  return {
    Records: records.map(describeRecord),
    ...(!ended && { NextShardIterator: writeIterator(engine, stream, records.at(-1)?.sequence ?? after) }),
  };
}

function describeRecord({ sequence, record }: StreamRecord) {
  const number = sequenceText(sequence);
  const change = isObject(record.dynamodb) ? record.dynamodb : {};
  return { eventID: eventId(sequence), ...record, dynamodb: { ...change, SequenceNumber: number } };
}

const eventId = (sequence: number) => sequence.toString(16).padStart(32, '0');

function writeIterator(engine: Engine, stream: StreamDefinition, after: number): string {
  return Buffer.from(JSON.stringify([stream.arn, after, engine.now()])).toString('base64');
}

function readIterator(engine: Engine, iterator: string): { arn: string; after: number } {
  const [arn, after, issued] = parsed(iterator);
  if (typeof arn !== 'string' || typeof after !== 'number' || typeof issued !== 'number') {
    throw validation('Invalid ShardIterator');
  }
  if (issued < engine.now() - ITERATOR_LIFETIME_MS) throw expiredIterator();
  return { arn, after };
}

function parsed(iterator: string): unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(iterator, 'base64').toString());
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}
