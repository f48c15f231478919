import type { Attempt, Delivery } from '#domain/deliveries/model.ts';
import type { WebhookDelivery, WebhookDeliveryDetails } from '#schemas/families/webhooks.ts';

export function toWebhookDelivery(delivery: Delivery): WebhookDelivery {
  const last = delivery.attempts.at(-1);
  return { ...fieldsOf(delivery), last_attempt: last ? toAttempt(last) : null };
}

/** An answer holds 6 MB at most, and the attempts are to be seen whatever was sent. */
const largestShown = 5 * 1024 * 1024;

export function toWebhookDeliveryDetails(delivery: Delivery, body: string | undefined): WebhookDeliveryDetails {
  return {
    ...fieldsOf(delivery),
    attempts: delivery.attempts.map(toAttempt),
    payload: body === undefined || Buffer.byteLength(body) > largestShown ? null : JSON.parse(body),
  };
}

function fieldsOf({ id, ref, event_group, event_id, status, attempt_count, created_at, updated_at }: Delivery) {
  return { id, ref, event_group, event_id, status, attempt_count, created_at, updated_at };
}

const toAttempt = ({ at, duration_ms, status, error, response }: Attempt) => ({
  at,
  duration_ms,
  status: status ?? null,
  error: error ?? null,
  response: response ?? null,
});

/** The time of the event: the id of a delivery begins with it. */
export const eventTimeOf = (id: string) => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
