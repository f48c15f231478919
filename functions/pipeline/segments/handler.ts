import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { SegmentRequest } from '#domain/segments/segment-request.ts';
import { logger } from '#platform/logging.ts';
import { type Handled, outlast, parsed } from '#platform/message-batch.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { fulfilRequest, type Ports, type RequestResult } from './fulfil-request.ts';

/**
 * Fetches the segments of customers from integrations, and joins them to the segments of their orders. Nothing waits for
 * it: an order whose segments cannot be fetched stays as it is.
 */
export const handler = fetchSegmentsBy({ call: createCall(), now: () => new Date(), random: Math.random });

export function fetchSegmentsBy(ports: Ports) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const results: Record<string, number> = {};
    const handle = async ({ body }: SQSRecord): Promise<Handled> => {
      const result = await fulfilRequest(parsed<SegmentRequest>(body), ports);
      const name = nameOf(result);
      results[name] = (results[name] ?? 0) + 1;
      return hasExchanged(result) ? undefined : 'nothing_to_do';
    };
    const settled = await outlast(event, handle, queue, context.getRemainingTimeInMillis());
    const { response, again, putAside, correlations } = settled;
    const counts = { requests: event.Records.length, ...results, correlation_ids: correlations };
    const reasons = [...again.values(), ...putAside.values()];
    if (reasons.length === 0) logger.info('segments', counts);
    else logger.warn('segments', { ...counts, failed: reasons.length, put_aside: putAside.size, reasons });
    return response;
  };
}

const queue = { variable: 'SEGMENTS_QUEUE_URL', failures: 'SEGMENTS_DEAD_LETTERS_QUEUE_URL' };

const hasExchanged = ({ kind }: RequestResult): boolean => kind === 'joined' || kind === 'unchanged';

const nameOf = ({ kind, reason }: RequestResult): string => (reason === undefined ? kind : `${kind}: ${reason}`);
