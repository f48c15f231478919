import type { Answer } from '#domain/deliveries/attempt-rules.ts';
import type { Attempt, Delivery } from '#domain/deliveries/model.ts';
import type { Destination } from './destination.ts';
import type { Ports } from './ports.ts';

/** One POST, and what the log says of it. */
export async function attempt(
  { id }: Delivery,
  body: Uint8Array,
  destination: Destination,
  { post, now }: Pick<Ports, 'post' | 'now'>,
): Promise<{ answer: Answer; logged: Attempt }> {
  const began = now();
  const headers = { ...common, ...(await destination.headersFor(id, body, began)) };
  const answer = await post({ url: destination.url, headers, body });
  const { status, error, response } = answer;
  const logged: Attempt = {
    at: began.toISOString(),
    duration_ms: Math.max(0, now().getTime() - began.getTime()),
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(response !== undefined && { response }),
  };
  return { answer, logged };
}

const common = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'post-purchase-service',
};
