import type { Database } from './database.ts';
import type { StreamDefinition } from './definitions.ts';
import { itemSize } from './item-size.ts';
import { keyAttributes } from './keys.ts';
import type { StoredItem } from './storage.ts';
import type { AttributeMap } from './values.ts';

export interface Change {
  old: StoredItem | undefined;
  next: StoredItem | undefined;
  byTimeToLive?: boolean;
}

export interface StreamRecord {
  sequence: number;
  record: Record<string, unknown>;
}

export const RETENTION_MS = 24 * 60 * 60 * 1000;
const MAX_PAGE_BYTES = 1024 * 1024;

interface CachedRecord {
  record: Record<string, unknown>;
  size: number;
}

/**
 * Several readers follow a stream and want its newest records, so these are cached and not parsed again for each
 * reader.
 */
const MAX_CACHED = 500;

export class StreamLog {
  readonly #cache = new Map<number, CachedRecord>();
  readonly #database: Database;
  readonly #region: string;
  readonly #now: () => number;

  constructor(database: Database, region: string, now: () => number) {
    this.#database = database;
    this.#region = region;
    this.#now = now;
  }

  append(stream: StreamDefinition, change: Change): void {
    const item = (change.next ?? change.old)?.item;
    if (!item) return;
    const created = this.#now();
    const record = {
      eventName: change.old ? (change.next ? 'MODIFY' : 'REMOVE') : 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: this.#region,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(created / 1000),
        ...imagesOf(stream, change, item),
        StreamViewType: stream.viewType,
      },
      ...(change.byTimeToLive && { userIdentity: { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' } }),
    };
    const text = JSON.stringify(record);
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO stream_records (stream, created, record) VALUES (?, ?, ?)')
      .run(stream.id, created, text);
    this.#remember(Number(lastInsertRowid), { record, size: text.length });
  }

  /** A sequence number is used again if its transaction was rolled back. Then it means the newer record. */
  #remember(sequence: number, cached: CachedRecord): void {
    this.#cache.delete(sequence);
    this.#cache.set(sequence, cached);
    if (this.#cache.size > MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value!);
  }

  read(stream: StreamDefinition, after: number, limit: number): StreamRecord[] {
    const rows = this.#database
      .prepare('SELECT sequence FROM stream_records WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT ?')
      .all(stream.id, after, limit);
    const records: StreamRecord[] = [];
    let bytes = 0;
    for (const row of rows) {
      const sequence = Number(row.sequence);
      const { record, size } = this.#cache.get(sequence) ?? this.#load(sequence);
      bytes += size;
      if (bytes > MAX_PAGE_BYTES && records.length > 0) break;
      records.push({ sequence, record });
    }
    return records;
  }

  #load(sequence: number): CachedRecord {
    const row = this.#database.prepare('SELECT record FROM stream_records WHERE sequence = ?').get(sequence);
    const text = row!.record as string;
    return { record: JSON.parse(text), size: text.length };
  }

  lastSequence(): number {
    const row = this.#database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'stream_records'").get();
    return Number(row?.seq ?? 0);
  }

  firstSequence(stream: StreamDefinition): number | undefined {
    const row = this.#database
      .prepare('SELECT min(sequence) AS first FROM stream_records WHERE stream = ?')
      .get(stream.id);
    return row?.first === null || row?.first === undefined ? undefined : Number(row.first);
  }

  /** Whether the sequence number is before every record that is left (including records of other streams). */
  isTrimmed(sequence: number): boolean {
    const row = this.#database.prepare('SELECT min(sequence) AS first FROM stream_records').get();
    const first = row?.first === null || row?.first === undefined ? this.lastSequence() + 1 : Number(row.first);
    return sequence < first;
  }

  trim(limit: number): void {
    this.#database
      .prepare(
        'DELETE FROM stream_records WHERE sequence IN (SELECT sequence FROM stream_records WHERE created < ? ORDER BY created LIMIT ?)',
      )
      .run(this.#now() - RETENTION_MS, limit);
  }
}

function imagesOf(stream: StreamDefinition, { old, next }: Change, item: AttributeMap): Record<string, unknown> {
  const keys = keyAttributes(stream.key, item);
  const wantsNew = stream.viewType === 'NEW_IMAGE' || stream.viewType === 'NEW_AND_OLD_IMAGES';
  const wantsOld = stream.viewType === 'OLD_IMAGE' || stream.viewType === 'NEW_AND_OLD_IMAGES';
  const images = {
    ...(wantsNew && next && { NewImage: next.item }),
    ...(wantsOld && old && { OldImage: old.item }),
  };
  const size = itemSize(keys) + ((wantsNew && next?.size) || 0) + ((wantsOld && old?.size) || 0);
  return { Keys: keys, ...images, SizeBytes: size };
}
