import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { SegmentRequest } from '#domain/segments/segment-request.ts';
import { type Handled, handleBatch, parsed, requireTexts } from '#platform/message-batch.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
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
      const result = await fulfilRequest(requestIn(body), ports);
      const name = result.reason === undefined ? result.kind : `${result.kind}: ${result.reason}`;
      results[name] = (results[name] ?? 0) + 1;
      return hasExchanged(result) ? undefined : 'nothing_to_do';
    };
    return handleBatch(event, handle, queue, context.getRemainingTimeInMillis(), results);
  };
}

const logged = 'segments';
const queue = { logged, variable: 'SEGMENTS_QUEUE_URL', failures: 'SEGMENTS_DEAD_LETTERS_QUEUE_URL' };

const hasExchanged = ({ kind }: RequestResult): boolean => kind === 'joined' || kind === 'unchanged';

function requestIn(body: string): SegmentRequest {
  const request = requireTexts(parsed<SegmentRequest>(body), 'shop_slug', 'order_id', 'since');
  if (!notifiedIntegrations.includes(request.integration)) throw new UnknownForm('An integration is unknown.');
  return request;
}
