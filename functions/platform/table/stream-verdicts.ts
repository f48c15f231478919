import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { Caused } from '#platform/correlation.ts';
import { type Outcome, type Patience, type Verdict, verdictsOn } from '#platform/verdicts.ts';

/** Decides what becomes of the records of the table's stream that a function could not handle. */

export interface RecordOutcome extends Pick<Outcome, 'kind' | 'error' | 'isProof'>, Caused {
  record: DynamoDBRecord;
}

const minute = 60_000;

/**
 * A record holds up its shard. The stream keeps it for 24 hours. Six of them are long enough for somebody to answer the
 * alarm at night, and leave most of the stream's day.
 */
const patience: Patience = {
  besideOthersMs: 2 * minute,
  aloneMs: 15 * minute,
  unprovenMs: 6 * 60 * minute,
  maxAgeMs: 22 * 60 * minute,
};

/** When a record of each kind was last handled, in Unix milliseconds. */
export type ProvenAt = ReadonlyMap<string, number>;

export function verdictsOf(outcomes: readonly RecordOutcome[], now: Date, provenAt: ProvenAt): Verdict[] {
  const judged = outcomes.map(({ record, ...outcome }) => {
    const ageMs = ageOf(record, now);
    const isProvenSince = (provenAt.get(outcome.kind) ?? 0) >= now.getTime() - ageMs;
    return { ...outcome, shop: shopOf(record), ageMs, isProvenSince };
  });
  return verdictsOn(judged, patience);
}

/** The slug of the shop. The keys of the items that a function reads from the stream name it after their prefix. */
function shopOf({ dynamodb }: DynamoDBRecord): string {
  const { shop_slug, pk } = dynamodb?.NewImage ?? {};
  return shop_slug?.S ?? pk?.S?.split('#')[1] ?? '';
}

function ageOf({ dynamodb }: DynamoDBRecord, now: Date): number {
  const { ApproximateCreationDateTime: seconds } = dynamodb ?? {};
  return seconds === undefined ? 0 : now.getTime() - seconds * 1000;
}

/** Lambda continues from the first record that is to come again. */
export function streamBatchResponse(again: readonly string[]): DynamoDBBatchResponse {
  return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
}
