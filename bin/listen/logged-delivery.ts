import { type Answer, signatureHeaders } from '#schemas/client/index.ts';
import type { Outgoing } from './post.ts';

export type LoggedDelivery = Answer<'listWebhookDeliveries'>[number];
type Details = Answer<'getWebhookDelivery'>;

/** A delivery that is sent again has the same id. For the receiver it is a new one. */
export const runOf = ({ id, sent_again_at }: LoggedDelivery): string => `${id} ${sent_again_at ?? ''}`;

/** Whether the service has tried to send it since it was created or sent again, or will not. */
export function isTried({ status, last_attempt, sent_again_at }: LoggedDelivery): boolean {
  if (status !== 'pending') return true;
  return last_attempt !== null && (sent_again_at === null || last_attempt.at >= sent_again_at);
}

/** Receivers refuse a signature that is older than five minutes. */
const freshMs = 4 * 60_000;

/** What the log shows in the place of a value that it hides. */
const hidden = '***';

/**
 * The request as the service sent it: the log has the headers, shortened where they are signatures, and the payload in the
 * order in which it was written. The signature has the time of the attempt, and that of now where this would be too old.
 * Undefined if the log does not show the payload.
 */
export async function requestOf(
  { id, attempts, payload }: Pick<Details, 'id' | 'attempts' | 'payload'>,
  secret: string,
  now: Date,
): Promise<Outgoing | undefined> {
  if (payload === null) return undefined;
  const body = Buffer.from(JSON.stringify(payload));
  const sent = attempts.findLast(({ request }) => request !== null);
  const at = sent && now.getTime() - Date.parse(sent.at) < freshMs ? Date.parse(sent.at) : now.getTime();
  const logged = Object.entries(sent?.request?.headers ?? {}).filter(([, value]) => !value.endsWith(hidden));
  return {
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(logged),
      ...(await signatureHeaders(body, { id, secret, seconds: Math.floor(at / 1000) })),
    },
    body,
  };
}
