import { utc } from '#platform/time.ts';

/**
 * Which state of an order a payload tells, as a text that compares as the states follow each other. `updated_at` counts
 * in seconds, and much can happen to an order in its first one: then the time of the webhook decides. That one stands in
 * a header, which nobody signs, so it never decides alone.
 */
export function momentOf(updatedAt: string, triggeredAt: string | undefined): string {
  const [, seconds, fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(triggeredAt ?? '') ?? [];
  return seconds === undefined ? utc(updatedAt) : `${utc(updatedAt)}#${seconds}.${fraction.padEnd(9, '0')}`;
}
