import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startReceiver } from '#test/e2e/kit/receiver.ts';
import { api, dataDir, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

/** The messages of the log lines of a function that name the request, in either form. */
function linesAbout(correlationId: string, functionName: string): string[] {
  const folder = join(dataDir, 'logs');
  const file = readdirSync(folder).find((name) => name.startsWith(functionName))!;
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return lines.filter((line) => line.includes(correlationId)).map((line) => JSON.parse(line).message);
}

test('the correlation id of a request is in the log lines of all that follows from it, up to the delivery', async () => {
  await using receiver = await startReceiver();
  const shop = `/v1/shops/${await newShop()}`;
  await api('POST', `${shop}/webhooks`, { key: superAdmin, body: { url: receiver.url } });
  const body = { id: 'traced', order: {}, trackings: [{ tracking_number: 'TRACED-1' }] };
  const { status, headers } = await api('PUT', `${shop}/orders`, { key: superAdmin, body });
  expect(status).toBe(200);
  await receiver.next();
  const id = headers.get('x-correlation-id')!;
  await vi.waitFor(
    () => {
      expect(linesAbout(id, 'OrdersApi')).toEqual(['request']);
      expect(new Set(linesAbout(id, 'EventsFanOut'))).toEqual(new Set(['events']));
      expect(new Set(linesAbout(id, 'DeliverySend'))).toEqual(new Set(['deliveries']));
    },
    { timeout: 20_000, interval: 100 },
  );
});
