import { ApiError, type Client } from '#schemas/client/index.ts';
import { isAccepted, type Outcome, type Outgoing, type Post } from './post.ts';
import type { Report } from './report.ts';

export interface Forwarding {
  post: Post;
  report: Report;
  /** When the service was last told to send a delivery again. Undefined if it never was. */
  sentAgainAt: (deliveryId: string) => Promise<Date | undefined>;
}

export type Forward = (outgoing: Outgoing) => Promise<Outcome>;

interface Accepted {
  at: Date;
  outcome: Outcome;
}

/** So many deliveries are kept in mind: a repetition comes within hours. */
const maxKept = 100_000;

/**
 * Passes requests of the service on, once for each time that a delivery is sent. If the connection to the service is lost
 * after the receiver has accepted a delivery, the service repeats it: then it gets the same answer, and the receiver
 * nothing.
 */
export function forwarding({ post, report, sentAgainAt }: Forwarding): Forward {
  const underWay = new Map<string, Promise<Outcome>>();
  const accepted = new Map<string, Accepted>();

  async function forward(id: string, outgoing: Outgoing): Promise<Outcome> {
    const before = accepted.get(id);
    const again = before && (await sentAgainAt(id));
    if (before && !(again && again > before.at)) return before.outcome;
    const at = new Date();
    const outcome = await post(outgoing);
    if (isAccepted(outcome)) accepted.set(id, { at, outcome });
    if (accepted.size > maxKept) accepted.delete(accepted.keys().next().value!);
    report.posted({ ref: refOf(outgoing), id, outcome, note: before ? 'sent again' : undefined });
    return outcome;
  }

  return (outgoing) => {
    const id = outgoing.headers['webhook-id'] ?? '';
    const running = underWay.get(id) ?? forward(id, outgoing).finally(() => underWay.delete(id));
    underWay.set(id, running);
    return running;
  };
}

function refOf({ body }: Outgoing): string {
  try {
    return String(JSON.parse(body.toString()).ref);
  } catch {
    return '?';
  }
}

export const sentAgainAtOf =
  (client: Client<'slug'>, uuid: string): Forwarding['sentAgainAt'] =>
  async (deliveryId) => {
    try {
      const { sent_again_at } = await client.getWebhookDelivery({ params: { uuid, delivery_id: deliveryId } });
      return sent_again_at === null ? undefined : new Date(sent_again_at);
    } catch (error) {
      // The service writes a delivery when its first attempt has ended, and it may know nothing of that attempt.
      if (error instanceof ApiError && error.key === 'webhook_delivery_not_found') return undefined;
      throw error;
    }
  };
