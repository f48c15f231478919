import { describe, expect, test } from 'vitest';
import { eventStrings, loadTexts, type Texts } from '#domain/texts/texts.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { phases, returnEventNames, shipmentEventNames, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
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
}: Texts): [place: string, field: keyof typeof longest, text: string][] {
  const inside = (place: string, texts: object) =>
    Object.entries(texts).map(([field, text]) => [`${place}.${field}`, field, text] as never);
  return [
    ...Object.entries(byPhase).flatMap(([phase, texts]) => inside(phase, texts)),
    ...Object.entries(events).flatMap(([name, texts]) => inside(name, texts)),
    ...Object.entries(returns).flatMap(([name, texts]) => inside(`returns.${name}`, texts)),
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

  test('has both texts of every event that announces a return, and none of them speaks of the order', () => {
    expect(Object.keys(texts.returns).sort()).toEqual([...returnEventNames].sort());
    for (const name of returnEventNames) {
      expect(Object.keys(texts.returns[name]).sort(), name).toEqual(['event_status', 'list_label']);
      const onReturn = eventStrings(texts, name, 'return_created');
      expect(onReturn).toEqual({ ...texts.phases.return_created, ...texts.returns[name] });
      const onOrder = eventStrings(texts, name, shipmentEvents[name].phase);
      for (const [field, text] of Object.entries(onReturn)) expect(onOrder).not.toHaveProperty(field, text);
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
  expect(eventStrings(english, own, shipmentEvents[own].phase).header_title).toBe(english.events[own].header_title);
  expect(eventStrings(english, 'SUCCESSFULLY_DELIVERED', 'delivered')).toMatchObject(
    english.events.SUCCESSFULLY_DELIVERED,
  );
});
