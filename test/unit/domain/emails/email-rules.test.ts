import { describe, expect, it } from 'vitest';
import {
  type Circumstances,
  decide,
  type MailCandidate,
  type MailState,
  parcelEvents,
  stepOf,
  withMail,
  withoutMail,
} from '#domain/emails/email-rules.ts';
import { toEmailSettings } from '#domain/emails/email-settings.ts';
import { progressOf } from '#domain/tracking-page/journey.ts';
import { mailedGroups, type SuppressionReason } from '#schemas/catalogues/emails.ts';
import {
  type Direction,
  flagOf,
  groupOf,
  phaseOf,
  type ShipmentEventName,
  shipmentEventNames,
} from '#schemas/catalogues/shipment-events.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const settings = toEmailSettings({ emails: { enabled: true } });
const nothing: MailState = { version: 0, mails: [] };

const parcel = (event_name: ShipmentEventName, minutes: number, more: Partial<MailCandidate> = {}): MailCandidate => {
  const group = groupOf(event_name, 'merchant_customer') as MailCandidate['group'];
  return {
    kind: 'parcel',
    delivery_id: `${event_name} ${minutes}`,
    subject: 'parcel',
    name: group!,
    step: stepOf(event_name, 'merchant_customer'),
    group,
    time: minutesAgo(minutes),
    event_name,
    ...more,
  };
};

const so = (more: Partial<Circumstances> = {}, ...candidates: MailCandidate[]): Circumstances => ({
  settings,
  isSimulated: false,
  address: {},
  events: parcelEvents(
    candidates.map(({ event_name, time }) => ({ event_name: event_name!, time })),
    'merchant_customer',
  ),
  now,
  today: now,
  ...more,
});

const mailed = (...candidates: MailCandidate[]): MailState =>
  candidates.reduce((state, one) => withMail(state, one, new Date(now.getTime() - 30_000)), nothing);

const moving = parcel('SHIPMENT_EN_ROUTE', 60);
const out = parcel('OUT_FOR_DELIVERY', 30);
const missed = parcel('DELIVERY_ATTEMPTED', 20);
const arrived = parcel('SUCCESSFULLY_DELIVERED', 10);

describe('a mail about a parcel', () => {
  it('is sent if nothing speaks against it', () => {
    expect(decide(moving, nothing, so({}, moving))).toBe('send');
  });

  it('is sent once for each group', () => {
    const again = parcel('ARRIVED_AT_SORTING_CENTER', 5);
    expect(decide(again, mailed(moving), so({}, moving, again))).toEqual({ skip: 'already_sent' });
  });

  it('does not go back behind one that was mailed', () => {
    expect(decide(moving, mailed(out), so({}, moving))).toEqual({ skip: 'earlier_than_sent' });
  });

  it('may be of the same step as one that was mailed', () => {
    expect(decide(missed, mailed(moving, out), so({}, moving, out, missed))).toBe('send');
  });

  it('does not go back within a step either', () => {
    expect(decide(out, mailed(missed), so({}, out, missed))).toEqual({ skip: 'earlier_than_sent' });
  });

  it('is left to the newest of several that come at once', () => {
    const all = so({}, moving, out, arrived);
    expect(decide(moving, nothing, all)).toEqual({ skip: 'earlier_than_sent' });
    expect(decide(out, nothing, all)).toEqual({ skip: 'earlier_than_sent' });
    expect(decide(arrived, nothing, all)).toBe('send');
  });

  it('is not held back by a later one whose group is off', () => {
    const off = toEmailSettings({ emails: { enabled: true, groups: { shipment_delivered: false } } });
    expect(decide(out, nothing, so({ settings: off }, out, arrived))).toBe('send');
  });

  it('is not held back by a later one of a group that was mailed before', () => {
    const outAgain = parcel('OUT_FOR_DELIVERY', 5);
    expect(decide(missed, mailed(out), so({}, out, missed, outAgain))).toBe('send');
  });

  it('is not held back by a later one that is stale', () => {
    const events = so({}, out, parcel('SUCCESSFULLY_DELIVERED', 25 * 60));
    expect(decide(out, nothing, events)).toBe('send');
  });

  it('is of no use after a day', () => {
    const old = parcel('SUCCESSFULLY_DELIVERED', 24 * 60 + 1);
    expect(decide(old, nothing, so({}, old))).toEqual({ skip: 'stale' });
    const still = parcel('SUCCESSFULLY_DELIVERED', 24 * 60);
    expect(decide(still, nothing, so({}, still))).toBe('send');
  });

  it.each<[string, Partial<Circumstances>]>([
    ['switched_off', { settings: toEmailSettings({}) }],
    [
      'switched_off',
      { settings: toEmailSettings({ emails: { enabled: true, groups: { shipment_in_transit: false } } }) },
    ],
    ['no_address', { address: undefined }],
    ['suppressed', { address: { suppressed: 'unsubscribed' } }],
    ['simulated', { isSimulated: true }],
  ])('is skipped as %s', (skip, more) => {
    expect(decide(moving, nothing, so(more, moving))).toEqual({ skip });
  });

  it('waits while another one about the parcel is being sent, and then counts that as sent', () => {
    const state = withMail(nothing, out, new Date(now.getTime() - 5000));
    expect(decide(arrived, state, so({}, out, arrived))).toEqual({ waitSeconds: 15 });
    expect(decide(moving, state, so({ now: new Date(now.getTime() + 15_000) }, moving))).toEqual({
      skip: 'earlier_than_sent',
    });
  });

  it('does not wait for a mail about another parcel', () => {
    const other = { ...out, subject: 'other', delivery_id: 'other' };
    expect(decide(arrived, withMail(nothing, other, now), so({}, arrived))).toBe('send');
  });

  it('whose worker died is not sent again, and nobody says that it was', () => {
    const state = withMail(nothing, moving, new Date(now.getTime() - 1000));
    expect(decide(moving, state, so({}, moving))).toEqual({ waitSeconds: 19 });
    expect(decide(moving, state, so({ now: new Date(now.getTime() + 19_000) }, moving))).toBe('unknown');
  });

  it('that SES refused can be sent', () => {
    expect(decide(moving, withoutMail(mailed(moving), moving), so({}, moving))).toBe('send');
  });
});

describe('a mail that the merchant sends again', () => {
  const run = now.toISOString();
  const again = { ...moving, run };

  it('is sent although it was sent, is earlier, stale and switched off', () => {
    const old = { ...parcel('SHIPMENT_EN_ROUTE', 48 * 60, { delivery_id: moving.delivery_id }), run };
    const state = mailed(moving, out);
    expect(decide(old, state, so({ settings: toEmailSettings({}) }, moving, out, arrived))).toBe('send');
  });

  it('is sent once in each run', () => {
    const state = mailed(moving, again);
    expect(decide(again, state, so({}, moving))).toBe('unknown');
    expect(decide({ ...moving, run: 'later' }, state, so({}, moving))).toBe('send');
  });

  it.each(['bounce', 'complaint', 'unsubscribed'] as const)('never goes to an address after a %s', (suppressed) => {
    expect(decide(again, nothing, so({ address: { suppressed } }, moving))).toEqual({ skip: 'suppressed' });
  });

  it('keeps two records, however often', () => {
    let state = mailed(moving);
    for (let i = 0; i < 50; i++) state = withMail(state, { ...moving, run: `run ${i}` }, now);
    expect(state.mails).toHaveLength(2);
    // What is taken back takes nothing else along.
    expect(withoutMail(state, { ...moving, run: 'run 49' }).mails).toHaveLength(1);
  });
});

describe('a mail about a claim', () => {
  const claim = (version: number, more: Partial<MailCandidate> = {}): MailCandidate => ({
    kind: 'claim',
    delivery_id: `claim ${version}`,
    subject: 'claim',
    name: version === 1 ? 'claim_created' : `claim_updated#${version}`,
    step: version,
    group: version === 1 ? 'claim_created' : 'claim_updated',
    time: minutesAgo(1),
    ...more,
  });
  const message = claim(3, { kind: 'claim_message', name: 'message#1', delivery_id: 'message' });

  it('is sent for each version', () => {
    expect(decide(claim(2), mailed(claim(1)), so())).toBe('send');
    expect(decide(claim(3), mailed(claim(1), claim(2)), so())).toBe('send');
  });

  it('is not sent for a version before one that was mailed', () => {
    expect(decide(claim(2), mailed(claim(3)), so())).toEqual({ skip: 'earlier_than_sent' });
  });

  it('is sent for each message of the shop, whatever the groups say', () => {
    const off = toEmailSettings({ emails: { enabled: true, groups: { claim_updated: false } } });
    expect(decide(message, mailed(claim(2)), so({ settings: off }))).toBe('send');
    expect(decide(message, nothing, so({ settings: toEmailSettings({}) }))).toEqual({ skip: 'switched_off' });
  });

  it.each<[SuppressionReason, unknown]>([
    ['unsubscribed', 'send'],
    ['bounce', { skip: 'suppressed' }],
    ['complaint', { skip: 'suppressed' }],
  ])('with a message for an address after %s', (suppressed, expected) => {
    expect(decide(message, nothing, so({ address: { suppressed } }))).toEqual(expected);
  });
});

describe('the acknowledgement of a withdrawal', () => {
  const declared: MailCandidate = {
    kind: 'withdrawal',
    delivery_id: 'withdrawal',
    subject: 'withdrawal',
    name: 'withdrawal',
    step: 0,
    group: null,
    time: minutesAgo(3 * 24 * 60),
  };

  it('is sent although e-mails are off, late, and to any address', () => {
    const worst = so({ settings: toEmailSettings({}), address: { suppressed: 'complaint' } });
    expect(decide(declared, nothing, worst)).toBe('send');
    expect(decide({ ...declared, delivery_id: 'another' }, mailed(declared), worst)).toEqual({ skip: 'already_sent' });
  });
});

describe('what is recorded of an order with thousands of messages', () => {
  const message = (n: number): MailCandidate => ({
    kind: 'claim_message',
    delivery_id: `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`,
    subject: `10000000-0000-0000-0000-${String(n).padStart(12, '0')}`,
    ...{ name: 'message', step: 0, group: null, time: now.toISOString() },
  });
  const hourlyAfter = (n: number) => new Date(now.getTime() + n * 3_600_000);

  it('stays small, and knows every mail about a parcel', () => {
    let state = withMail(nothing, arrived, now);
    for (let n = 0; n < 5_000; n++) state = withMail(state, message(n), hourlyAfter(n));
    expect(JSON.stringify(state).length).toBeLessThan(300_000);
    expect(state.mails[0]).toMatchObject({ delivery_id: arrived.delivery_id });
    const late = { ...so({}, arrived), now: hourlyAfter(5_000) };
    expect(decide({ ...out, delivery_id: 'another' }, state, late)).toEqual({ skip: 'earlier_than_sent' });
    expect(decide(message(4_999), state, late)).toBe('unknown');
  });
});

describe('the steps of parcels', () => {
  const placeOf = (event_name: ShipmentEventName, direction: Direction) => {
    const is_return = direction === 'customer_merchant';
    const phase = phaseOf(event_name, direction);
    return progressOf({ event_name, phase, flag: flagOf(event_name, direction), is_return, pickup: null });
  };

  it.each(['merchant_customer', 'customer_merchant'] as const)(
    'follow the progress bar of the page (%s)',
    (direction) => {
      // The bar of a parcel that goes to a shop instead begins anew; its phase is that of a failed attempt.
      const isForwarded = (name: ShipmentEventName) =>
        groupOf(name, direction) === 'shipment_delivery_failed_forwarded_to_parcel_shop';
      const known = shipmentEventNames
        .filter((name) => !isForwarded(name))
        .map((name) => ({ name, ...placeOf(name, direction), step: stepOf(name, direction) }));
      for (const a of known) {
        for (const b of known) {
          const isSameBar = a.steps.join() === b.steps.join();
          if (isSameBar && a.current < b.current)
            expect([a.name, b.name, a.step < b.step]).toEqual([a.name, b.name, true]);
        }
      }
    },
  );

  it('never tell that a parcel is coming after it was sent back', () => {
    expect(stepOf('OUT_FOR_DELIVERY', 'merchant_customer')).toBeLessThan(
      stepOf('SHIPMENT_RETURNING_TO_SENDER', 'merchant_customer'),
    );
  });
});

describe('settings that nobody changed', () => {
  it('tell what customers wait for', () => {
    const on = mailedGroups.filter((group) => settings.groups[group]);
    expect(on).toHaveLength(16);
    expect(settings.groups.shipment_pre_transit).toBe(false);
    expect(toEmailSettings({}).enabled).toBe(false);
  });
});
