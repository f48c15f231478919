import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { readProviders } from '#domain/tracking-providers/provider-store.ts';
import type { RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { logger } from '#platform/logging.ts';
import { handleEach } from '#platform/message-batch.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { submitPage } from './backlog.ts';
import { type Ports, registerParcel } from './register-parcel.ts';

/** Registers parcels with the tracking providers, from their queue. */
export const handler = registerThrough({ call: createCall(), now: () => new Date() });

export function registerThrough(ports: Pick<Ports, 'call' | 'now'>) {
  return async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const providers = await readProviders();
    const { response, failures, correlations } = await handleEach(event, async ({ body }) => {
      const message = JSON.parse(body) as RegistrationMessage;
      if ('backlog' in message) await submitPage(message, providers, ports.now());
      else await registerParcel(message, { ...ports, providers });
    });
    const counts = { messages: event.Records.length, again: failures.size, correlation_ids: correlations };
    if (failures.size === 0) logger.info('tracking registrations', counts);
    else logger.warn('tracking registrations', { ...counts, reasons: [...failures.values()] });
    return response;
  };
}
