import type { VendorAccount, VendorAnswer, VendorRequest } from '#domain/dialects/dialect.ts';
import type { SegmentExchange, SegmentResult } from '#domain/segments/segment-source.ts';
import type { Call, CallResult } from '#platform/outgoing/call.ts';

/** For all requests of an exchange together, so that a slow vendor does not use up the time of the function. */
const deadlineMs = 25_000;

/** Sends the requests of an exchange, one after the other. */
export async function perform(exchange: SegmentExchange, account: VendorAccount, call: Call): Promise<SegmentResult> {
  const end = Date.now() + deadlineMs;
  let step = exchange.next();
  while (!step.done) {
    const leftMs = end - Date.now();
    if (leftMs <= 0) return { kind: 'again', reason: 'timeout' };
    const result = await call(outgoing(step.value, account, leftMs));
    if (result.status === undefined || result.body === undefined) {
      return { kind: 'again', reason: result.failure ?? 'no_answer' };
    }
    step = exchange.next(answerOf(result));
  }
  return step.value;
}

function outgoing({ method, path, headers, body }: VendorRequest, { target }: VendorAccount, leftMs: number) {
  return {
    method,
    url: target.url.replace(/\/+$/, '') + path,
    headers,
    deadlineMs: leftMs,
    ...(body && { body: Buffer.from(JSON.stringify(body)) }),
  };
}

const answerOf = ({ status, headers = {}, body }: CallResult): VendorAnswer => ({
  status: status!,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()[0]])),
  body: parsed(body!),
});

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
