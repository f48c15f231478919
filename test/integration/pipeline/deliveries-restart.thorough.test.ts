import { expect, test, vi } from 'vitest';
import { clientOf } from '#test/e2e/kit/client.ts';
import { Stacks, superAdmin } from '#test/e2e/kit/local-stack.ts';
import { assemblyIn } from '#test/kit/assembly.ts';
import { accept, hang, startEventReceiver } from '#test/kit/event-receiver.ts';
import { setVisibilityTimeout } from '#test/kit/template.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';

const parcels = 100;

test('a stack that is killed on the way of a hundred deliveries delivers each of them after its restart', {
  timeout: 240_000,
}, async () => {
  await using stacks = new Stacks();
  const assembly = await assemblyIn(stacks.folder());
  // Messages in flight at the kill become visible again after a while.
  setVisibilityTimeout(assembly, 5);
  const settings = { DATA_DIR: stacks.folder(), ASSEMBLY: assembly, RETRY_BASE_SECONDS: '1' };
  await using receiver = await startEventReceiver();
  receiver.behave('/events', hang);

  const first = await stacks.start(settings);
  const shop = await newWebhookShop(clientOf(first.url), superAdmin);
  await shop.addEndpoint(receiver.urlOf('/events'));
  const numbers: string[] = [];
  for (let order = 0; order < 4; order++) numbers.push(...(await shop.fulfil(parcels / 4)));
  // Some are being sent, and nothing is written of any of them.
  await vi.waitFor(() => expect(receiver.received('/events').length).toBeGreaterThan(5), {
    timeout: 60_000,
    interval: 100,
  });
  await first.kill();
  const before = receiver.received('/events').length;
  receiver.behave('/events', accept);

  await stacks.start(settings);
  await vi.waitFor(
    () => {
      const arrived = receiver.received('/events').slice(before);
      const told = arrived.map(({ body }) => JSON.parse(body).event_data.tracking_number);
      expect(new Set(told)).toEqual(new Set(numbers));
    },
    { timeout: 120_000, interval: 200 },
  );
});
