import { invalid } from '#shared/api-error.ts';
import { utc } from '#shared/orders/model.ts';

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
