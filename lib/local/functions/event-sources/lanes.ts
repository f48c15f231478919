import { createHash } from 'node:crypto';
import type { Position } from './checkpoint.ts';
import type { EventRecord } from './stream-record.ts';

/**
 * The records of a stream that were read and are not all processed. They are delivered in several lanes at once, as
 * Lambda does with a parallelization factor. All records of an item are in one lane, so they stay in their order.
 */
export interface Lanes {
  /** Resolves when a lane is free, so that it makes sense to read more. */
  add(shardId: string, records: readonly ReadRecord[]): Promise<void>;
  /** Resolves when no lane delivers any more. */
  settled(): Promise<void>;
}

export interface ReadRecord {
  record: EventRecord;
  /** Whether the filters of the mapping let it through. */
  isAccepted: boolean;
}

export interface LanePorts {
  /** Delivers a batch in its order. Calls `passed` for the last record of each part that is done. False at the end of the stack. */
  deliver(shardId: string, batch: EventRecord[], passed: (record: EventRecord) => void): Promise<boolean>;
  /** Every record up to this position is processed. */
  passedUntil(position: Position): void;
  /** After an error that was not the function's. Returns false at the end of the stack. */
  pauseAfter(error: unknown): Promise<boolean>;
  /** How long a lane rests after a batch, so that the next one has more records. Undefined if it does not rest. */
  rest(): Promise<unknown> | undefined;
}

interface Waiting {
  shardId: string;
  record: EventRecord;
  hasPassed: boolean;
}

interface Lane {
  waiting: Waiting[];
  isBusy: boolean;
  /** The rest after its last batch, until it is over or the next batch begins. */
  rest: Promise<unknown> | undefined;
}

/** While one lane cannot go on, the others get this far ahead of it. */
const maxAhead = 1000;

export function createLanes(options: { count: number; batchSize: number }, ports: LanePorts): Lanes {
  const { count, batchSize } = options;
  const lanes = Array.from({ length: count }, (): Lane => ({ waiting: [], isBusy: false, rest: undefined }));
  /** What was read, in the order of the stream, from the first record on that is not processed. */
  const ahead: Waiting[] = [];
  let change = Promise.withResolvers<void>();

  const changed = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };

  const movePosition = (): void => {
    const open = ahead.findIndex(({ hasPassed }) => !hasPassed);
    const last = ahead.splice(0, open === -1 ? ahead.length : open).at(-1);
    if (last) ports.passedUntil({ shardId: last.shardId, sequenceNumber: last.record.dynamodb.SequenceNumber });
  };

  const passIn = (lane: Lane, record: EventRecord): void => {
    const end = lane.waiting.findIndex((one) => one.record === record) + 1;
    for (const one of lane.waiting.splice(0, end)) one.hasPassed = true;
    movePosition();
  };

  const deliverNext = async (lane: Lane): Promise<boolean> => {
    const { shardId } = lane.waiting[0]!;
    const batch = lane.waiting.slice(0, batchSize).filter((one) => one.shardId === shardId);
    const records = batch.map(({ record }) => record);
    try {
      return await ports.deliver(shardId, records, (record) => passIn(lane, record));
    } catch (error) {
      return ports.pauseAfter(error);
    }
  };

  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await change.promise;
  };

  const beginRest = (lane: Lane): void => {
    const rest = ports.rest();
    lane.rest = rest;
    void rest?.then(() => {
      if (lane.rest === rest) lane.rest = undefined;
      changed();
    });
  };

  /** A full batch ends the rest, and so do records that nobody could read any further. */
  const isResting = ({ rest, waiting }: Lane) =>
    rest !== undefined && waiting.length < batchSize && ahead.length < maxAhead;

  const endRest = async (lane: Lane): Promise<void> => {
    changed();
    await until(() => !isResting(lane));
  };

  const run = async (lane: Lane): Promise<void> => {
    if (lane.isBusy) return;
    lane.isBusy = true;
    while (lane.waiting.length > 0) {
      if (isResting(lane)) await endRest(lane);
      lane.rest = undefined;
      if (!(await deliverNext(lane))) break;
      beginRest(lane);
    }
    lane.isBusy = false;
    changed();
  };

  const hasRoom = () => ahead.length < maxAhead && lanes.some((lane) => !lane.isBusy || isResting(lane));

  return {
    add: async (shardId, records) => {
      for (const { record, isAccepted } of records) {
        const waiting = { shardId, record, hasPassed: !isAccepted };
        ahead.push(waiting);
        if (isAccepted) lanes[laneOf(record, count)]!.waiting.push(waiting);
      }
      movePosition();
      changed();
      for (const lane of lanes) void run(lane);
      await until(hasRoom);
    },
    settled: () => until(() => lanes.every(({ isBusy }) => !isBusy)),
  };
}

const laneOf = ({ dynamodb }: EventRecord, count: number): number =>
  count === 1 ? 0 : createHash('sha256').update(JSON.stringify(dynamodb.Keys)).digest()[0]! % count;
