import { describe, expect, test } from 'vitest';
import type { Shipment } from '#domain/orders/model.ts';
import { toEstimate } from '#domain/orders/presentation.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { type Language, languages } from '#schemas/catalogues/enumerations.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { parcelWith, type TimedEvent } from '#test/kit/counted-parcels.ts';

const placed: TimedEvent = ['ORDER_PROCESSED', '16T08:00'];
const scanned: TimedEvent = ['SHIPMENT_EN_ROUTE', '17T08:00'];

/** The window is counted from 17 November 2026. */
const parcel = (window: string | undefined, changes: Partial<Shipment> = {}) =>
  parcelWith([placed, scanned], {
    prediction: { since: '2026-11-17', ...(window !== undefined && { window }), bands: '' },
    ...changes,
  });

async function shown(shipment: Shipment, now = '2026-11-17T12:00:00Z', language: Language = 'en') {
  const estimate = toEstimate(shipment, { language, texts: await loadTexts(language), now: new Date(now) });
  // With plain spaces: languages have narrow and unbreakable ones.
  return estimate && { ...estimate, time_prediction: estimate.time_prediction?.replace(/\s/g, ' ') ?? null };
}

const textOf = async (...of: Parameters<typeof shown>) => (await shown(...of))?.time_prediction;

describe('our window', () => {
  test('has whole days of the recipient, and says whose it is', async () => {
    expect(await shown(parcel('1-3'))).toEqual({
      from: '2026-11-18T00:00:00+01:00',
      to: '2026-11-20T23:59:59+01:00',
      time_prediction: '18 – 20 November 2026',
      language: 'en',
      source: 'prediction',
    });
  });

  test.each([
    ['of a day', '1-1', '18 November 2026'],
    ['of several', '1-4', '18 – 21 November 2026'],
    ['across months', '10-15', '27 November – 2 December 2026'],
    ['across years', '43-46', '30 December 2026 – 2 January 2027'],
  ])('%s is a text', async (_, window, text) => {
    expect(await textOf(parcel(window))).toBe(text);
  });

  test('has the offset of each of its ends when the clocks change in between', async () => {
    const prediction = { since: '2026-10-22', window: '1-4', bands: '' };
    expect(await shown(parcel(undefined, { prediction }), '2026-10-22T12:00:00Z')).toMatchObject({
      from: '2026-10-23T00:00:00+02:00',
      to: '2026-10-26T23:59:59+01:00',
    });
  });

  test('leaves out days that are over where the recipient is', async () => {
    const at = (now: string) => textOf(parcel('1-3'), now);
    expect(await at('2026-11-18T22:59:59Z')).toBe('18 – 20 November 2026');
    expect(await at('2026-11-18T23:00:00Z')).toBe('19 – 20 November 2026');
    expect(await at('2026-11-20T22:59:59Z')).toBe('20 November 2026');
  });

  test('that is over stays as it was, and says that it takes longer', async () => {
    expect(await shown(parcel('1-3'), '2026-11-20T23:00:00Z')).toMatchObject({
      from: '2026-11-18T00:00:00+01:00',
      to: '2026-11-20T23:59:59+01:00',
      time_prediction: '18 – 20 November 2026, but delivery is taking longer than expected',
    });
  });

  test.each(languages)('that is over says more than its days in the language %s', async (language) => {
    const [before, after] = await Promise.all(
      ['2026-11-18T08:00:00Z', '2026-11-29T08:00:00Z'].map((now) => textOf(parcel('1-3'), now, language)),
    );
    expect(after).toContain(before);
    expect(after!.length).toBeGreaterThan(before!.length + 20);
    expect(after).not.toMatch(/[{}]/);
  });
});

describe('what the carrier says wins', () => {
  test.each([
    ['with an end', { end: '2026-11-25T23:59:59Z' }],
    ['with a beginning', { start: '2026-11-25T00:00:00Z' }],
  ])('%s', async (_, expected_delivery) => {
    const { start = null, end = null } = expected_delivery as { start?: string; end?: string };
    expect(await shown(parcel('1-3', { expected_delivery }))).toMatchObject({ from: start, to: end, source: null });
  });

  test('unless it names no time', async () => {
    const nothing = { start: null, end: null, source: 'carrier' };
    expect(await shown(parcel('1-3', { expected_delivery: nothing }))).toMatchObject({ source: 'prediction' });
    expect(await shown(parcel(undefined, { expected_delivery: nothing }))).toMatchObject({
      from: null,
      source: 'carrier',
    });
  });

  test('and is never called ours', async () => {
    const expected_delivery = { end: '2026-11-25T23:59:59Z', source: 'prediction' };
    expect(await shown(parcel('1-3', { expected_delivery }))).toMatchObject({ source: null });
  });
});

describe('a window is shown', () => {
  const parcelAfter = (...names: ShipmentEventName[]) => {
    const events = names.map((name, i): TimedEvent => [name, `17T${10 + i}:00`]);
    return parcelWith([placed, scanned, ...events], { prediction: { since: '2026-11-17', window: '1-3', bands: '' } });
  };

  test.each<ShipmentEventName[]>([
    ['SHIPMENT_EN_ROUTE'],
    ['DELAY_IN_TRANSPORT', 'AT_SORTING_CENTER'],
    ['OUT_FOR_DELIVERY'],
    ['DELIVERY_ATTEMPTED'],
    ['DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN', 'NOTIFICATION_SENT_TO_RECIPIENT'],
  ])('after %s', async (...names) => {
    expect(await shown(parcelAfter(...names))).toMatchObject({ source: 'prediction' });
  });

  test.each<ShipmentEventName[]>([
    ['ARRIVED_AT_PARCEL_SHOP'],
    ['DELAY_IN_TRANSPORT'],
    ['SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION', 'NOTIFICATION_SENT_TO_RECIPIENT'],
    ['DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION'],
    ['DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED'],
    ['SUCCESSFULLY_DELIVERED'],
    ['SHIPMENT_LOST'],
    ['HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT'],
    ['ATTEMPTED_DELIVERY_UNDELIVERABLE'],
    ['SHIPMENT_RETURNING_TO_SENDER'],
    ['SHIPMENT_RETURNED_TO_SENDER'],
    ['ORDER_CANCELLED'],
    ['SUCCESSFULLY_DELIVERED', 'SHIPMENT_UPDATED_ETA'],
  ])('but not after %s', async (...names) => {
    expect(await shown(parcelAfter(...names))).toBeNull();
  });

  test('but not before a carrier has the parcel, and not of a return', async () => {
    expect(await shown(parcel('1-3', { events: parcelWith([placed]).events }))).toBeNull();
    expect(await shown(parcel('1-3', { direction: 'customer_merchant' }))).toBeNull();
  });
});
