import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { Send } from '#lib/smoke/client.ts';
import { deliveryMs, localReceiver } from '#lib/smoke/receiver.ts';
import { walks } from '#lib/smoke/walks.ts';

test('the walk of sessions ends its session', async () => {
  const send = vi.fn<Send>(async (_method, _path, call) => {
    call?.onHeaders?.(new Headers({ 'set-cookie': '__Host-session=token; HttpOnly; Path=/' }));
    return { username: 'operator' };
  });
  const steps: (() => Promise<unknown>)[] = [];
  const cleanUp = (step: () => Promise<unknown>) => void steps.push(step);
  await walks.sessions({
    send,
    superAdmin: 'operator:secret',
    receiver: undefined,
    cleanUp,
    found: {},
    run: 'r',
    leftoverAgeMs: 0,
  });
  for (const step of steps) await step();
  const headers = { cookie: '__Host-session=token' };
  expect(send).toHaveBeenLastCalledWith('DELETE', '/v1/sessions/current', { headers });
});

test('the time for an event begins when it is awaited, not when the receiver starts', async () => {
  const timeouts = vi.spyOn(AbortSignal, 'timeout');
  await using receiver = await localReceiver();
  expect(timeouts).not.toHaveBeenCalled();
  const event = receiver.signedEvent!('secret');
  expect(timeouts).toHaveBeenCalledWith(deliveryMs);
  const signature = createHmac('sha256', 'secret').update('1.{"id":1}').digest('hex');
  const headers = { 'service-signature': `t=1,v1=${signature}` };
  await fetch(receiver.url, { method: 'POST', headers, body: '{"id":1}' });
  expect(await event).toEqual({ id: 1 });
});
