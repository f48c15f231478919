import { expect, vi } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { queuedMessage } from '#test/kit/queue-messages.ts';
import type { RunningService } from '#test/kit/service.ts';
import { invoke, usagesOf } from './played-orders.ts';
import type { Cost } from './tables.ts';

const read =
  '`DELIVERIES#slug#email` / `DELIVERY#id` and `CIRCUIT`; shop and settings; all of `ORDER#slug#uuid`; all of `PAGE#token`; all of `STOREFRONT#slug`; `SUPPRESSIONS#slug` / `ADDRESS#hash`; `MAILS#slug#order` / `STATE`';

/** Measured is the second mail of the shop: keys are decrypted and the storefront is made then. */
export async function measureMails({ stack, operator }: RunningService): Promise<{ costs: Cost[]; mail: Usage[] }> {
  const slug = 'mailed-shop';
  const key = `${operator.username}:${operator.secret}`;
  const call = async (method: string, path: string, body: object) => {
    const { status, text } = await clientOf(stack.url)(method, `/v1/shops${path}`, { key, body });
    expect(status, text).toBe(200);
  };
  await call('POST', '', { name: slug, slug, settings: { carriers_enabled: true } });
  await call('PATCH', `/${slug}/settings/emails`, { enabled: true });
  let series = 0;

  /** A new parcel is on its way. @returns what was asked of AWS until its mail was recorded */
  const mailed = async (email_id: string): Promise<Usage[]> => {
    const tracking_number = `0034043416108840${String(++series).padStart(4, '0')}`;
    const order = { email_id, address: { country_code: 'DE' } };
    await call('PUT', `/${slug}/orders`, { id: `M-${series}`, order, trackings: [{ tracking_number }] });
    await skipped();
    stack.usage.take();
    const event_name = 'SHIPMENT_EN_ROUTE';
    const body = JSON.stringify({ tracking_number, event_name, event_time: new Date().toISOString() });
    const ingested = await invoke(stack, 'ingest', { Records: [queuedMessage(event_name, body)] });
    expect(ingested).toEqual({ batchItemFailures: [] });
    const usages: Usage[] = [];
    await vi.waitFor(() => {
      usages.push(...stack.usage.take());
      const actions = usagesOf('delivery', usages).map(({ action }) => action);
      // The delivery is recorded last.
      expect(actions.slice(actions.indexOf('SendEmail') + 1), actions.join()).toContain('PutItem');
      expect(actions).toContain('SendEmail');
    }, within);
    return usages;
  };

  /** That the order is processed is not told, which the log has a moment later. */
  const skipped = async () => {
    const before = handled;
    await vi.waitFor(() => {
      handled += usagesOf('delivery', stack.usage.take()).filter(({ action }) => action === 'PutItem').length;
      expect(handled).toBeGreaterThan(before);
    }, within);
  };
  let handled = 0;

  await mailed('ida@example.com');
  await bounced(stack);
  const mail = usagesOf('delivery', await mailed('bo@example.com'));
  const reported = await bounced(stack);
  const costs: Cost[] = [
    {
      scenario: {
        operation: 'delivery',
        case: 'a mail to a customer',
        access: `${read}; the state, before the mail is handed over; the delivery`,
        code: 'functions/pipeline/delivery/email.ts',
      },
      usages: mail,
    },
    {
      scenario: {
        operation: 'email-events',
        case: 'an address that bounced',
        access:
          '`SUPPRESSIONS#slug` / `ADDRESS#hash`, read, then put with its line of the list in one transaction; `DELIVERIES#slug#email` / `DELIVERY#id`',
        code: 'functions/pipeline/email-events/record-report.ts',
      },
      usages: reported,
    },
  ];
  return { costs, mail };
}

const within = { timeout: 20_000, interval: 20 };

/** What is asked of AWS because SES reports that the newest mail bounced. */
async function bounced(stack: RunningService['stack']): Promise<Usage[]> {
  const { at: timestamp, to, tags } = stack.mails()[0]!;
  const named = Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]]));
  const mail = { timestamp, destination: [to], tags: named };
  const detail = {
    eventType: 'Bounce',
    bounce: { bounceType: 'Permanent', timestamp: new Date().toISOString() },
    mail,
  };
  stack.usage.take();
  const Records = [queuedMessage('bounce', JSON.stringify({ detail }))];
  expect(await stack.invoke('EmailsRecord', { Records })).toEqual({ batchItemFailures: [] });
  return stack.usage.take().filter(({ functionId }) => functionId.startsWith('EmailsRecord'));
}
