import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { readProviders } from '#domain/tracking-providers/provider-store.ts';
import type { RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { loadOnce } from '#platform/batches.ts';
import { type Handled, handleBatch, parsed, requireTexts } from '#platform/message-batch.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { submitPage } from './backlog.ts';
import { type Ports, registerParcel } from './register-parcel.ts';

/** Registers parcels with the tracking providers, from their queue. */
export const handler = registerThrough({ call: createCall(), now: () => new Date() });

export function registerThrough(ports: Pick<Ports, 'call' | 'now'>) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const providersOfBatch = loadOnce(readProviders);
    const handle = async ({ body, messageId }: SQSRecord): Promise<Handled> => {
      const message = parsed<RegistrationMessage>(body);
      const providers = await providersOfBatch('all');
      if (!('backlog' in message)) {
        requireTexts(message, 'shop_slug', 'shipment_id', 'tracking_number');
        return registerParcel({ begun_by: messageId, ...message }, { ...ports, providers });
      }
      requireTexts({ ...message, ...message.backlog }, 'shop_slug', 'since');
      await submitPage(message, providers, ports.now());
      return undefined;
    };
    return handleBatch(event, handle, queue, context.getRemainingTimeInMillis());
  };
}

const logged = 'tracking registrations';
const queue = { logged, variable: 'REGISTRATION_QUEUE_URL', failures: 'REGISTRATION_GIVEN_UP_QUEUE_URL' };
