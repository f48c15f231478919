import { invalid } from './http/errors.ts';

interface Given {
  since?: string | undefined;
  until?: string | null | undefined;
}

interface Range {
  since?: Date;
  until?: Date;
}

/** From one time to another, both included. @param place where the request has it */
export function timeRange(place: 'query' | 'body', { since, until }: Given): Range {
  const range: Range = {
    ...(since !== undefined && { since: new Date(utc(since)) }),
    ...(until != null && { until: new Date(utc(until)) }),
  };
  if (range.since && range.until && range.since > range.until) {
    throw invalid({ loc: [place, 'until'], msg: 'must not be before since', type: 'value_error' });
  }
  return range;
}

/**
 * A date-time of the contract in UTC, to the millisecond. The contract's format allows more than Date reads: a leap
 * second, an offset without minutes, a blank or a small letter between date and time.
 */
export function utc(time: string | Date): string {
  if (time instanceof Date) return time.toISOString();
  const readable = time
    .toUpperCase()
    .replace(/\s/, 'T')
    .replace(/:60(?=[.Z+-])/, ':59')
    .replace(/([+-]\d\d):?(\d\d)?$/, (offset, hours, minutes) =>
      offset.length > 3 || time.length > 10 ? `${hours}:${minutes ?? '00'}` : offset,
    );
  return withinFourDigits(new Date(readable).toISOString());
}

/** An offset can push a time out of the years that sort as text. */
function withinFourDigits(time: string): string {
  if (time.startsWith('+')) return '9999-12-31T23:59:59.999Z';
  return time.startsWith('-') ? '0000-01-01T00:00:00.000Z' : time;
}
