import { describe, expect, test } from 'vitest';
import { eventStrings, loadTexts, type Texts } from '#domain/texts/texts.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { phases, returnWordsOf, shipmentEventNames, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import { sameAsEnglish } from './same-as-english.ts';

const headers = ['header_headline', 'header_title', 'header_subtitle'] as const;

/** Characters, as a reader counts them. */
const longest = { list_label: 45, event_status: 140, header_headline: 45, header_title: 70, header_subtitle: 180 };

const all = await Promise.all(languages.map(loadTexts));
const english = all[languages.indexOf('en')]!;

/** Every text of a language with its place. */
function entriesOf({
  phases: byPhase,
  events,
  returns,
  return_headers,
}: Texts): [place: string, field: keyof typeof longest, text: string][] {
  const inside = (place: string, texts: object) =>
    Object.entries(texts).map(([field, text]) => [`${place}.${field}`, field, text] as never);
  return [
    ...Object.entries(byPhase).flatMap(([phase, texts]) => inside(phase, texts)),
    ...Object.entries(events).flatMap(([name, texts]) => inside(name, texts)),
    ...Object.entries(returns).flatMap(([name, texts]) => inside(`returns.${name}`, texts)),
    ...Object.entries(return_headers).flatMap(([state, texts]) => inside(`return_headers.${state}`, texts)),
  ];
}

const broken = (texts: Texts, isBroken: (text: string, field: keyof typeof longest) => boolean) =>
  entriesOf(texts)
    .filter(([, field, text]) => isBroken(text, field))
    .map(([place, , text]) => `${place}: ${text}`);

describe.each(languages.map((language, i) => [language, all[i]!] as const))('the text file %s', (language, texts) => {
  test('has its language and its register', () => {
    expect(texts.language).toBe(language);
    expect(texts.register.length).toBeGreaterThan(5);
  });

  test('has every phase and every event and no others', () => {
    expect(Object.keys(texts.phases).sort()).toEqual([...phases].sort());
    expect(Object.keys(texts.events).sort()).toEqual([...shipmentEventNames].sort());
    for (const phase of phases) expect(Object.keys(texts.phases[phase]).sort(), phase).toEqual([...headers].sort());
  });

  test('has both texts of every event, and all three or no texts of its header', () => {
    for (const name of shipmentEventNames) {
      const { event_status, list_label, ...header } = texts.events[name];
      expect(event_status && list_label, name).toBeTruthy();
      expect([0, headers.length], name).toContain(Object.keys(header).length);
      expect(headers, name).toEqual(expect.arrayContaining(Object.keys(header)));
    }
  });

  test('has all texts of returns and no others', () => {
    const wordings = new Set(shipmentEventNames.map(returnWordsOf).filter((one) => one !== undefined));
    expect(Object.keys(texts.returns).sort()).toEqual([...wordings].sort());
    for (const own of Object.values(texts.returns)) expect(Object.keys(own)).toEqual(['event_status', 'list_label']);
    for (const own of Object.values(texts.return_headers)) expect(Object.keys(own)).toEqual(headers);
  });

  test('speaks of a return wherever an order is placed, cancelled, delivered or collected', () => {
    const spoken = ['order_created', 'order_cancelled', 'collect', 'delivered'];
    for (const name of shipmentEventNames) {
      const onReturn = eventStrings(texts, name, 'customer_merchant');
      expect(eventStrings(texts, name, 'customer_partner'), name).toEqual(onReturn);
      const onOrder = eventStrings(texts, name, 'merchant_customer');
      const { phase, towardsMerchant } = shipmentEvents[name];
      if (phase === 'return_failed') continue;
      expect(onReturn.header_title, name).not.toBe(onOrder.header_title);
      expect(onReturn.header_subtitle, name).not.toBe(onOrder.header_subtitle);
      if (towardsMerchant === null || !(spoken.includes(phase) || name === 'ORDER_PROCESSED')) continue;
      expect(onReturn.event_status, name).not.toBe(onOrder.event_status);
      expect(onReturn.list_label, name).not.toBe(onOrder.list_label);
    }
  });

  test('has a header for every event that has one in English', () => {
    const own = (of: Texts) => shipmentEventNames.filter((name) => of.events[name].header_title !== undefined);
    expect(own(texts)).toEqual(expect.arrayContaining(own(english)));
  });

  test('has no empty, padded or unfinished text', () => {
    expect(broken(texts, (text) => text.trim() === '' || text !== text.trim() || / {2}/.test(text))).toEqual([]);
    expect(broken(texts, (text) => /[{}<>[\]_%$]|TODO|TBD|XXX|Lorem|lorem/.test(text))).toEqual([]);
  });

  test('keeps to the maximum lengths', () => {
    expect(broken(texts, (text, field) => [...text].length > longest[field])).toEqual([]);
  });

  test('ends sentences with a full stop, and labels without one', () => {
    expect(broken(texts, (text, field) => field === 'event_status' && !/[.…]$/.test(text))).toEqual([]);
    expect(broken(texts, (text, field) => field === 'list_label' && /[.!]$/.test(text))).toEqual([]);
  });

  test('is written in its own letters', () => {
    const own = language === 'gr' ? /\p{Script=Greek}/u : /\p{Script=Latin}/u;
    const foreign = language === 'gr' ? /[a-z]{4,}/i : /[\p{Script=Greek}\p{Script=Cyrillic}]/u;
    expect(broken(texts, (text) => !own.test(text) || foreign.test(text))).toEqual([]);
  });

  test('uses the letters that are typical of its language', () => {
    const sample = entriesOf(texts)
      .map(([, , text]) => text)
      .join(' ');
    const typical = typicalLetters[language];
    if (typical) expect(sample).toMatch(typical);
  });
});

test.each(languages.filter((language) => language !== 'en'))(
  'the text file %s has no text that is still English',
  (language) => {
    const inEnglish = new Map(entriesOf(english).map(([place, , text]) => [place, text]));
    const allowed = sameAsEnglish[language] ?? {};
    const same = entriesOf(all[languages.indexOf(language)]!).filter(
      ([place, , text]) => inEnglish.get(place) === text && !(place in allowed),
    );
    expect(same.map(([place]) => place)).toEqual([]);
  },
);

/** A file under the wrong name, or stripped of its accents, would not have them. */
const typicalLetters: Partial<Record<(typeof languages)[number], RegExp>> = {
  cs: /[ěřů]/,
  da: /[æø]/,
  fi: /[äö]/,
  fr: /[éèà]/,
  de: /[äöüß]/,
  hu: /[őű]/,
  lv: /[āēīšņ]/,
  pl: /[ąęłż]/,
  pt: /[ãçõ]/,
  sk: /[ľťŕô]/,
  es: /[ñáéí]/,
  sv: /[åäö]/,
};

test('an event shows its own header, or else the header of its phase', () => {
  const own = shipmentEventNames.find((name) => english.events[name].header_title !== undefined)!;
  expect(eventStrings(english, own, 'merchant_customer').header_title).toBe(english.events[own].header_title);
  expect(eventStrings(english, 'SUCCESSFULLY_DELIVERED', 'partner_customer')).toEqual({
    ...english.phases.delivered,
    ...english.events.SUCCESSFULLY_DELIVERED,
  });
});

/** The customer sent it, and the shop receives it. */
test.each([
  ['ORDER_PROCESSED', 'Your return is registered', 'Return ready to send'],
  ['ORDER_IN_PROCESSING', 'Your return is registered', 'Return registered'],
  ['PARCEL_DROPPED_OFF_IN_PARCEL_SHOP', 'Your return is on its way to the shop', 'Dropped off at a parcel shop'],
  ['OUT_FOR_DELIVERY', 'Your return is on its way to the shop', 'Out for delivery'],
  ['RETURN_IN_PROGRESS', 'Your return is on its way to the shop', 'Return under way'],
  ['ARRIVED_AT_PARCEL_SHOP', 'Your return is on its way to the shop', 'Waiting for the shop to collect it'],
  ['DELAY_EXPECTED', 'Your return will take a little longer', 'Delay expected'],
  ['DELIVERY_ATTEMPTED', 'Your return will take a little longer', 'Delivery attempted'],
  ['SHIPMENT_DAMAGED', 'Your return will take a little longer', 'Parcel damaged'],
  ['SUCCESSFULLY_DELIVERED', 'The shop has received your return', 'Received by the shop'],
  ['SUCCESSFULLY_COLLECTED_AT_POST_OFFICE', 'The shop has received your return', 'Received by the shop'],
  ['RETURN_TO_SENDER_COMPLETED', 'The shop has received your return', 'Received by the shop'],
  ['SHIPMENT_LOST', 'Your return did not reach the shop', 'Parcel lost'],
  ['RETURN_TO_SENDER_FAILED', 'Your return did not reach the shop', 'Return failed'],
  ['SHIPMENT_RETURNING_TO_SENDER', 'Your return did not reach the shop', 'On its way back to the sender'],
  ['ORDER_CANCELLED', 'Your return has been cancelled', 'Return cancelled'],
] as const)('after %s a return reads: %s', (name, header_title, list_label) => {
  expect(eventStrings(english, name, 'customer_merchant')).toMatchObject({ header_title, list_label });
});

test('a return that failed is not said to be on its way back to the customer', () => {
  const failed = eventStrings(english, 'RETURN_TO_SENDER_FAILED', 'customer_merchant');
  expect(failed.header_subtitle).toBe(english.phases.return_failed.header_subtitle);
  const undelivered = eventStrings(english, 'RETURN_TO_SENDER_FAILED', 'merchant_customer');
  expect(undelivered.header_title).toBe('Your parcel did not get back to its sender');
});
