import { validate } from 'message:carrierUpdate';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf } from '#domain/tracking-providers/checkpoint-rules.ts';
import type { ParcelToTrack, RegistrationOutcome, TrackingProvider } from '#domain/tracking-providers/provider.ts';
import { providers } from '#domain/tracking-providers/providers.ts';
import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import {
  busySeconds,
  type RunningProvider,
  type Situation,
  startFakeProvider,
} from '#test/kit/providers/fake-provider.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';

const number = '00340434161094042557';
const seed = 14;

const bytesOf = (body: object) => new TextEncoder().encode(JSON.stringify(body));

describe.each(trackingProviders)('the connector of %s', (name) => {
  const fake = fakeProviders[name];
  let connector: TrackingProvider;

  beforeAll(async () => {
    connector = await providers[name]();
  });

  const eventsIn = (body: unknown) =>
    connector.reportsIn(body).flatMap((report) => eventsOf(report, connector.codes).events);
  const momentsIn = (...bodies: unknown[]) => [
    ...new Set(bodies.flatMap(eventsIn).map(({ event_time, event_name }) => `${event_time} ${event_name}`)),
  ];

  describe('takes a webhook for genuine', () => {
    const body = bytesOf(fake.webhook(number, fake.histories[0]!.checkpoints));
    const isGenuine = (headers: Record<string, string>, rawBody = body) =>
      connector.isGenuine({ headers, rawBody }, fake.webhookSecret);

    test('that is signed with the secret', () => {
      expect(isGenuine(fake.signed(body))).toBe(true);
    });

    test('but not if it is signed with another secret', () => {
      expect(isGenuine(fake.signed(body, 'another secret'))).toBe(false);
    });

    test('but not if it is not signed', () => {
      expect(isGenuine({ 'content-type': 'application/json' })).toBe(false);
    });

    test('but not if its body was changed, where the provider signs the body', () => {
      const changed = bytesOf({ ...fake.webhook(number, []), more: true });
      expect(isGenuine(fake.signed(body), changed)).toBe(name === 'ship24');
    });

    test('but not if the signature has something around it, or is empty', () => {
      for (const change of [(text: string) => `${text} `, (text: string) => `x${text}`, () => '']) {
        const headers = Object.fromEntries(Object.entries(fake.signed(body)).map(([key, text]) => [key, change(text)]));
        expect(isGenuine(headers)).toBe(false);
      }
    });
  });

  describe.each(fake.histories)('reads the history "$title"', ({ checkpoints, events }) => {
    const expected = events.map(([time, name]) => `${time} ${name}`);

    test('with each event in its order, for the right parcel', () => {
      const body = fake.webhook(number, checkpoints);
      expect(momentsIn(body)).toEqual(expected);
      expect(eventsIn(body).every(({ tracking_number }) => tracking_number === number)).toBe(true);
    });

    test('into updates that the queue of carrier updates takes', () => {
      for (const update of eventsIn(fake.webhook(number, checkpoints))) expect(validate(update)).toBe(true);
    });

    test('alike in every order and however it is cut, with repetitions', () => {
      const pieces = fc.array(fc.subarray([...checkpoints], { minLength: 1 }), { maxLength: 5 });
      fc.assert(
        fc.property(pieces, fc.shuffledSubarray([...checkpoints], { minLength: checkpoints.length }), (some, all) => {
          const alone = all.map((checkpoint) => fake.webhook(number, [checkpoint]));
          const bodies = [...some.map((piece) => fake.webhook(number, piece)), ...alone];
          expect(momentsIn(...bodies).sort()).toEqual(expected);
          expect(momentsIn(fake.webhook(number, all))).toEqual(expected);
        }),
        { seed, numRuns: 25 },
      );
    });

    test('without a code that the table lacks', () => {
      const [report] = connector.reportsIn(fake.webhook(number, checkpoints));
      expect(eventsOf(report!, connector.codes).unmapped).toEqual([]);
    });
  });

  test('reads when the parcel is expected, and where it was', () => {
    const events = eventsIn(fake.webhook(number, fake.histories[0]!.checkpoints));
    expect(events.at(-1)!.expected_delivery).toMatchObject({ start: expect.any(String), end: expect.any(String) });
    expect(events.at(-1)!.location).toBeTruthy();
  });

  test('reads when the report was made, if the provider says it', () => {
    const [report] = connector.reportsIn(fake.webhook(number, fake.histories[0]!.checkpoints));
    const times = {
      aftership: '2026-03-03T09:00:20.000Z',
      easypost: '2026-03-04T12:30:00.000Z',
      seventeentrack: '2026-03-04T12:45:00.000Z',
      ship24: '2026-03-16T12:00:00.000Z',
      shippo: undefined,
    };
    expect(report!.reported_at).toBe(times[name]);
  });

  test('throws at no body, and reads only what the queue of carrier updates takes', () => {
    const webhook = fake.webhook(number, fake.histories[1]!.checkpoints);
    const body = fc.oneof(fc.jsonValue(), damaged(webhook));
    fc.assert(
      fc.property(body, (hostile) => {
        for (const update of eventsIn(hostile)) if (!validate(update)) throw new Error(JSON.stringify(update));
      }),
      { seed, numRuns: 200 },
    );
  });

  describe('registers a parcel', () => {
    let running: RunningProvider;

    beforeAll(async () => {
      running = await startFakeProvider(fake);
    });
    afterAll(() => running.stop());

    const register = async (parcel: Partial<ParcelToTrack>, api_key = fake.apiKey): Promise<RegistrationOutcome> => {
      const whole = { tracking_number: number, carrier_reference: 'dhl', shipment_id: crypto.randomUUID(), ...parcel };
      const { method, path, headers, body } = connector.registration(whole, { api_key });
      const response = await fetch(`${running.url}${path}`, { method, headers, body });
      const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
      return connector.outcomeOf({ ...answer, body: await response.text(), received_at: new Date() });
    };

    test('in the form that the provider documents', async () => {
      const outcome = await register({
        tracking_number: 'JJD000390012345678',
        postal_code: '1010',
        country_code: 'AT',
      });
      expect([outcome, running.faults]).toEqual([{ status: 'submitted' }, []]);
      expect(running.registered).toContain('JJD000390012345678');
    });

    test('that exists already as one that is submitted', async () => {
      await register({ tracking_number: 'JJD000390012345679' });
      expect(await register({ tracking_number: 'JJD000390012345679' })).toEqual({ status: 'submitted' });
    });

    test('and is refused with a wrong key', async () => {
      const outcome = await register({}, 'a wrong key');
      expect(outcome).toEqual({ status: 'refused', reason: 'The tracking provider does not accept the API key.' });
    });

    test.each<[Situation, RegistrationOutcome['status'], object]>([
      ['no quota', 'refused', { reason: expect.stringMatching(/quota|may not/) }],
      ['invalid', 'refused', { reason: expect.stringMatching(/number|carrier/) }],
      ['busy', 'again', { afterSeconds: busySeconds }],
      ['down', 'again', {}],
    ])('and learns from the answer "%s" that it is %s', async (situation, status, rest) => {
      running.behave(number, situation);
      expect(await register({})).toMatchObject({ status, ...rest });
    });

    test.each(['', '<html>', '[]', 'null', '{"meta":{"code":"constructor"},"errors":[{"code":"toString"}]}'])(
      'and takes the answer %j for no success if its status is none',
      (body) => {
        for (const status of [400, 404, 422, 500]) {
          const answer = { status, body, headers: {}, received_at: new Date() };
          expect(['refused', 'again']).toContain(connector.outcomeOf(answer).status);
        }
      },
    );
  });
});

/** The body with another value in one of its places. */
function damaged(body: object): fc.Arbitrary<unknown> {
  const places = placesIn(body);
  return fc.tuple(fc.constantFrom(...places), fc.oneof(fc.jsonValue(), strangeTexts)).map(([place, value]) => {
    const copy = structuredClone(body) as Record<string, unknown>;
    const holder = place.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, copy);
    holder[place.at(-1)!] = value;
    return copy;
  });
}

const strangeTexts = fc.constantFrom(
  '2026-02-30T10:00:00Z',
  'half an emoji: \ud83d',
  '9999-12-31T23:59:59-14:00',
  '2026-03-01T10:00:60Z',
  'x'.repeat(1500),
);

function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, child]) => placesIn(child, [...path, key]));
  return path.length > 0 ? [path, ...inside] : inside;
}

test('Shippo learns the carrier in its own word, and the word of another carrier as it is', async () => {
  const { registration } = await providers.shippo();
  const carrierOf = (carrier_reference: string | null) =>
    JSON.parse(registration({ tracking_number: number, carrier_reference, shipment_id: 'x' }, { api_key: 'k' }).body)
      .carrier;
  expect(['dhlexp', 'royalmail', 'gls', null].map(carrierOf)).toEqual(['dhl_express', 'royal_mail', 'gls', undefined]);
});
