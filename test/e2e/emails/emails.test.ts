import { expect, test, vi } from 'vitest';
import { api, superAdmin as key, newSlug, url } from '#test/e2e/kit/shared-stack.ts';

const within = { timeout: 20_000, interval: 100 };

/** A shop that mails its customers, and what it can do. */
async function mailingShop() {
  const slug = newSlug();
  const call = async (method: string, path: string, body?: object) => {
    const answer = await api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  await api('POST', '/v1/shops', { key, body: { name: `Shop ${slug}`, slug } });
  await call('PATCH', '/settings/emails', { enabled: true });
  const order = async (email_id: string) => {
    const tracking_number = `${slug}-${email_id.replaceAll(/\W/g, '')}`.toUpperCase();
    const id = `${slug}-${email_id}`;
    await call('PUT', '/orders', { id, order: { email_id }, trackings: [{ tracking_number }] });
    return (event_name: string) => call('POST', '/shipment-events?notify=true', { id: tracking_number, event_name });
  };
  const log = () => call('GET', '/integrations/email/deliveries');
  return { slug, call, order, log };
}

/** The page of the newest mail to an address, as the local stack shows it. */
async function mailTo(address: string): Promise<string> {
  const list = await (await fetch(`${url}/mail`)).text();
  const [, path] =
    new RegExp(`href="(/mail/[^"]+)"(?:(?!</li>)[^])*<span>${address.replaceAll(/[.+]/g, '\\$&')}</span>`).exec(list) ??
    [];
  expect(path, `no mail to ${address}`).toBeDefined();
  return (await fetch(url + path)).text();
}

test('a customer hears of a parcel, and unsubscribes with one click', async () => {
  const { slug, call, order, log } = await mailingShop();
  const address = `ida-${slug}@example.com`;
  const report = await order(address);
  await report('OUT_FOR_DELIVERY');
  const mail = await vi.waitFor(() => mailTo(address), within);
  const [, link = ''] = /&lt;(http:[^&]*\/u\/[^&]*)&gt;/.exec(mail) ?? [];
  expect(mail).toContain('List-Unsubscribe=One-Click');
  expect((await fetch(link)).status).toBe(200);
  expect(await call('GET', '/emails/suppressions')).toEqual([]);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(link, { method: 'POST', body, redirect: 'error' })).status).toBe(200);
  expect(await call('GET', '/emails/suppressions')).toMatchObject([{ email_id: address, reason: 'unsubscribed' }]);
  await report('SUCCESSFULLY_DELIVERED');
  await vi.waitFor(
    async () => expect((await log())[0]).toMatchObject({ status: 'skipped', reason: 'suppressed' }),
    within,
  );
});

test.each(['bounce', 'complaint'])('a %s suppresses the address, and the log tells of it', async (reason) => {
  const { slug, call, order, log } = await mailingShop();
  const address = `${reason}+${slug}@simulator.amazonses.com`;
  const report = await order(address);
  await report('OUT_FOR_DELIVERY');
  await vi.waitFor(
    async () => expect(await call('GET', '/emails/suppressions')).toMatchObject([{ email_id: address, reason }]),
    within,
  );
  await vi.waitFor(
    async () => expect((await log())[0]).toMatchObject({ status: 'delivered', feedback: { kind: reason } }),
    within,
  );
});
