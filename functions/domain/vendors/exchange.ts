import { parsed } from '#platform/foreign-json.ts';
import type { CallResult } from '#platform/outgoing/call.ts';
import { type Exchange, NoAnswer, type VendorAccount, type VendorAnswer, type VendorRequest } from './dialect.ts';

/** @param answerTo sends a request; rejects with NoAnswer if no answer comes */
export async function perform<Result>(
  exchange: Exchange<Result>,
  answerTo: (request: VendorRequest) => Promise<VendorAnswer>,
): Promise<Result> {
  let step = exchange.next();
  while (!step.done) {
    const answer = await answerTo(step.value).catch((error) => error as Error);
    step = answer instanceof Error ? exchange.throw(answer) : exchange.next(answer);
  }
  return step.value;
}

export function outgoingOf({ method, path, headers, body }: VendorRequest, { target }: VendorAccount) {
  const url = target.url.replace(/\/+$/, '') + path;
  return { method, url, headers, ...(body && { body: Buffer.from(JSON.stringify(body)) }) };
}

export function answerIn({ status, headers = {}, body, failure }: CallResult): VendorAnswer | NoAnswer {
  if (status === undefined || body === undefined) return new NoAnswer(failure ?? 'no_answer');
  const text = body.toString('utf8');
  const single = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat()[0]] as const);
  return { status, headers: Object.fromEntries(single), body: parsed(text), text };
}
