import { emailTarget } from '#schemas/catalogues/emails.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { type Answer, call, type OperationId } from '../../api/client.ts';
import { inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { emailLogPath } from '../../ui/email-tabs.tsx';

export type Endpoint = Answer<'searchWebhooks'>[number];
export type Delivery = Answer<'listWebhookDeliveries'>[number];
export type DeliveryDetails = Answer<'getWebhookDelivery'>;
export type Attempt = DeliveryDetails['attempts'][number];
export type Health = Answer<'getIntegrationHealth'>;
type Recovered = Answer<'recoverWebhook'>;

export interface LogQuery {
  page?: number;
  per_page: number;
  status?: string | undefined;
  event?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** A receiver of deliveries. Endpoints and integrations have the same operations under two names. */
export interface Target {
  /** The path of its view. */
  path: string;
  health: (signal?: AbortSignal) => Promise<Health>;
  deliveries: (query: LogQuery, signal?: AbortSignal) => Promise<Delivery[]>;
  delivery: (id: string, signal?: AbortSignal) => Promise<DeliveryDetails>;
  redeliver: (id: string) => Promise<Delivery>;
  recover: (range: { since: string; until?: string }) => Promise<Recovered>;
  mayRedeliver: boolean;
  mayRecover: boolean;
  /** Whether it is the customers, by e-mail. */
  isMail: boolean;
}

export const endpointTarget = (uuid: string): Target => ({
  path: inShop(`/endpoints/${uuid}`),
  health: (signal) => call('getWebhookHealth', { params: { uuid }, signal }),
  deliveries: (query, signal) => call('listWebhookDeliveries', { params: { uuid }, query: { ...query }, signal }),
  delivery: (id, signal) => call('getWebhookDelivery', { params: { uuid, delivery_id: id }, signal }),
  redeliver: (id) => call('redeliverWebhook', { params: { uuid, delivery_id: id } }),
  recover: (body) => call('recoverWebhook', { params: { uuid }, body }),
  isMail: false,
  ...rights('redeliverWebhook', 'recoverWebhook'),
});

export const integrationTarget = (name: string): Target => {
  // The service refuses a name that is none.
  const params = { integration: name as NotifiedIntegration | typeof emailTarget };
  const isMail = name === emailTarget;
  return {
    path: isMail ? emailLogPath() : inShop(`/integrations/${name}`),
    health: (signal) => call('getIntegrationHealth', { params, signal }),
    deliveries: (query, signal) => call('listIntegrationDeliveries', { params, query: { ...query }, signal }),
    delivery: (id, signal) => call('getIntegrationDelivery', { params: { ...params, delivery_id: id }, signal }),
    redeliver: (id) => call('redeliverToIntegration', { params: { ...params, delivery_id: id } }),
    recover: (body) => call('recoverIntegration', { params, body }),
    isMail,
    ...rights('redeliverToIntegration', 'recoverIntegration'),
  };
};

const rights = (redeliver: OperationId, recover: OperationId) => ({
  mayRedeliver: can(redeliver),
  mayRecover: can(recover),
});

export async function endpointOf(uuid: string, signal?: AbortSignal): Promise<Endpoint | undefined> {
  const [found] = await call('searchWebhooks', { query: { uuid }, signal });
  return found;
}
