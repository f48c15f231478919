import { expect, vi } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { queuedMessage } from '#test/kit/queue-messages.ts';
import type { RunningService } from '#test/kit/service.ts';
import { invoke, usagesOf } from './played-orders.ts';
import type { Cost } from './tables.ts';

const read =
  '`DELIVERIES#slug#email` / `DELIVERY#id` and `CIRCUIT`; shop and settings; all of `ORDER#slug#uuid`; all of `PAGE#token`; all of `STOREFRONT#slug`; `SUPPRESSIONS#slug` / `ADDRESS#hash`; `MAILS#slug#order` / `STATE`';

/** Measured is the second mail of an order: keys are decrypted and the storefront is made then. */
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

  /** Reports events of a new parcel, and gives what its last mail asked of AWS. */
  const mailed = async (email_id: string, ...events: string[]): Promise<Usage[]> => {
    const tracking_number = `0034043416108840${String(++series).padStart(4, '0')}`;
    const order = { email_id, address: { country_code: 'DE' } };
    await call('PUT', `/${slug}/orders`, { id: `M-${series}`, order, trackings: [{ tracking_number }] });
    let usages: Usage[] = [];
    for (const event_name of events) {
      stack.usage.take();
      usages = [];
      const body = JSON.stringify({ tracking_number, event_name, event_time: new Date().toISOString() });
      const sent = stack.mails().length;
      expect(await invoke(stack, 'ingest', { Records: [queuedMessage(event_name, body)] })).toEqual({
        batchItemFailures: [],
      });
      await vi.waitFor(
        () => {
          usages.push(...stack.usage.take());
          expect(stack.mails()).toHaveLength(sent + 1);
          // The delivery is recorded last.
          expect(usagesOf('delivery', usages).at(-1)?.action).toBe('PutItem');
          expect(usagesOf('delivery', usages).map(({ action }) => action)).toContain('SendEmail');
        },
        { timeout: 20_000, interval: 50 },
      );
    }
    return usages;
  };

  const mail = usagesOf('delivery', await mailed('ida@example.com', 'SHIPMENT_EN_ROUTE', 'IN_DELIVERY'));
  await mailed('bounce+1@simulator.amazonses.com', 'SHIPMENT_EN_ROUTE');
  await vi.waitFor(() => expect(ofReports(stack.usage.take())).not.toEqual([]), { timeout: 20_000, interval: 50 });
  await mailed('bounce+2@simulator.amazonses.com', 'SHIPMENT_EN_ROUTE');
  const reported: Usage[] = [];
  await vi.waitFor(
    () => {
      reported.push(...ofReports(stack.usage.take()));
      expect(reported.at(-1)?.action).toBe('UpdateItem');
    },
    { timeout: 20_000, interval: 50 },
  );
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

const ofReports = (usages: readonly Usage[]) =>
  usages.filter(({ functionId }) => functionId.startsWith('EmailsRecord'));
