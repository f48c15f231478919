import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { SegmentRequest } from '#domain/segments/segment-request.ts';
import { logger } from '#platform/logging.ts';
import { handleEach } from '#platform/message-batch.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { fulfilRequest, type Ports, type RequestResult } from './fulfil-request.ts';

/**
 * Fetches the segments of customers from integrations, and joins them to the segments of their orders. Nothing waits for
 * it: an order whose segments cannot be fetched stays as it is.
 */
export const handler = fetchSegmentsBy({ call: createCall(), now: () => new Date(), random: Math.random });

export function fetchSegmentsBy(ports: Ports) {
  return async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const results: Record<string, number> = {};
    const handle = async ({ body }: SQSRecord): Promise<void> => {
      const name = nameOf(await fulfilRequest(JSON.parse(body) as SegmentRequest, ports));
      results[name] = (results[name] ?? 0) + 1;
    };
    const { response, failures, correlations } = await handleEach(event, handle);
    const counts = { requests: event.Records.length, ...results, correlation_ids: correlations };
    if (failures.size === 0) logger.info('segments', counts);
    else logger.warn('segments', { ...counts, failed: failures.size, reasons: [...failures.values()] });
    return response;
  };
}

const nameOf = ({ kind, reason }: RequestResult): string => (reason === undefined ? kind : `${kind}: ${reason}`);
