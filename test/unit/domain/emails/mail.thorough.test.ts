import { caniemail } from 'caniemail';
import { describe, expect, test } from 'vitest';
import { type Mail, type MailSubject, mailOf, maxMailBytes } from '#domain/emails/mail.ts';
import { answerOf } from '#domain/tracking-page/answer.ts';
import { mailedGroups } from '#schemas/catalogues/emails.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { contrastOf, readable } from '#schemas/look/palette.ts';
import type { BrandPalette } from '#schemas/shapes/settings-shapes.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { attributesIn, elementNames, factsIn, shownTexts } from '#test/kit/mail-document.ts';
import {
  aClaim,
  aMessage,
  aWithdrawal,
  eventOf,
  mailsOf,
  pageAfter,
  quietPalette,
  settingOf,
  subjectsOf,
} from '#test/kit/sample-mails.ts';

const english = await settingOf('en');
const parcelMail = (page: TrackingPage, parcel = 0, reader = english.reader) =>
  mailOf({ kind: 'parcel', page, parcel }, reader);
const onItsWay = () => pageAfter('ARRIVED_AT_SORTING_CENTER', english);

const bytes = (text: string) => Buffer.byteLength(text);
const linksIn = ({ text }: Mail): string[] => text.match(/\bhttps?:\S+/g) ?? [];

test('every group that is mailed has a mail', () => {
  const names = subjectsOf(english).map(([name]) => name.split(' ')[0]);
  expect(mailedGroups.filter((group) => !names.includes(group))).toEqual([]);
});

describe.each(languages)('in %s', async (language) => {
  const setting = await settingOf(language);
  const mails = mailsOf(setting);

  test('every mail has at most 30 KB of HTML and of text', () => {
    expect(maxMailBytes).toBe(30 * 1024);
    for (const [name, { html, text }] of mails) {
      expect(bytes(html), name).toBeLessThanOrEqual(maxMailBytes);
      expect(bytes(text), name).toBeLessThanOrEqual(maxMailBytes);
    }
  });

  test('every link leads somewhere by HTTPS, and the text has each of them', () => {
    for (const [name, mail] of mails) {
      const links = attributesIn(mail.html, 'href');
      expect(links.length, name).toBeGreaterThanOrEqual(3);
      for (const url of [...links, ...linksIn(mail)])
        expect(URL.parse(url)?.protocol, `${name}: ${url}`).toBe('https:');
      expect(new Set(linksIn(mail).concat('https://shop.example/')), name).toEqual(
        new Set(links.concat('https://shop.example/')),
      );
    }
  });

  test('the text says all that the HTML says', () => {
    for (const [name, { html, text }] of mails) {
      const words = shownTexts(html, 'light').map((one) => one.text.replace(/^· /, ''));
      const plain = text.replace(/\s+/g, ' ');
      expect(
        words.filter((word) => word !== '·' && !plain.includes(word)),
        name,
      ).toEqual([]);
    }
  });

  test('a mail about a parcel has the sentence of the page as its subject, first in its body and once', () => {
    for (const [name, subject] of subjectsOf(setting)) {
      if (subject.kind !== 'parcel') continue;
      const mail = mailOf(subject, setting.reader);
      const { sentence } = answerOf(subject.page.parcels[0]!, setting.reader);
      expect(mail.subject, name).toBe(sentence);
      const h1 = /<h1[^>]*>(.*?)<\/h1>/.exec(mail.html)![1]!.replace(/<[^>]*>/g, '');
      expect(h1.replaceAll('&#39;', "'"), name).toBe(sentence);
      expect(mail.html.match(/<h1/g), name).toHaveLength(1);
    }
  });

  test('subject and preheader are one line each, short and different', () => {
    for (const [name, { subject, preheader }] of mails) {
      for (const line of [subject, preheader]) expect(line, name).toMatch(/^[^\p{Cc}]+$/u);
      expect([...subject].length, name).toBeLessThanOrEqual(100);
      expect([...preheader].length, name).toBeLessThanOrEqual(150);
      expect(preheader, name).not.toBe(subject);
    }
  });

  test('there are no placeholders, exclamation marks or missing values', () => {
    for (const [name, { text, subject, preheader }] of mails) {
      expect([text, subject, preheader].join('\n'), name).not.toMatch(/[{}!]|\b(undefined|null|NaN)\b/);
    }
  });

  test('the elements are those that mail programs show, and the only script is of facts', () => {
    for (const [name, { html }] of mails) {
      const unknown = elementNames(html).filter((element) => !allowedElements.has(element));
      expect(unknown, name).toEqual([]);
      expect(html.match(/<script[^>]*>/g) ?? [], name).toEqual(
        html.includes('ParcelDelivery') ? ['<script type="application/ld+json">'] : [],
      );
      expect(html.match(/<style/g), name).toHaveLength(1);
      expect(html, name).not.toMatch(/\son[a-z]+=|javascript:|url\(|@import|<link|<form|position:/i);
    }
  });
});

const allowedElements = new Set(
  'html head meta title style script body div table tr td p h1 h2 a span strong br img'.split(' '),
);

test('a mail about a parcel has its facts by the words of schema.org', () => {
  const [facts, ...others] = factsIn(parcelMail(onItsWay()).html);
  expect(others).toEqual([]);
  expect(facts).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'ParcelDelivery',
    partOfOrder: { '@type': 'Order', orderNumber: '10024', merchant: { name: 'Lindenhof' } },
    carrier: { name: 'DHL' },
    trackingNumber: '00340434161094042557',
    trackingUrl: 'https://track.example/t/abc',
    itemShipped: [{ '@type': 'Product' }, { '@type': 'Product' }],
  });
  expect(Date.parse(facts!.expectedArrivalUntil as string)).toBeGreaterThan(english.reader.now.getTime());
});

test('every mail about a parcel has these facts, and no other mail', () => {
  for (const [name, subject] of subjectsOf(english)) {
    const types = factsIn(mailOf(subject, english.reader).html).map((facts) => facts['@type']);
    expect(types, name).toEqual(subject.kind === 'parcel' ? ['ParcelDelivery'] : []);
  }
});

const all = (colour: string): BrandPalette => ({
  primary_dark: colour,
  primary_light: colour,
  secondary_dark: colour,
  secondary_light: colour,
  background: colour,
  surface: colour,
});

describe.each<[string, BrandPalette]>([
  ['quiet', quietPalette],
  ['white', all('#ffffff')],
  ['black', all('#000000')],
  ['grey', all('#777777')],
  ['red', all('#ff0000')],
  ['yellow on white', { ...all('#ffff00'), background: '#ffffff', surface: '#ffffff' }],
  ['white on black', { ...all('#ffffff'), background: '#000000', surface: '#111111' }],
  ['turned round', { ...all('#222222'), primary_light: '#000000', secondary_dark: '#eeeeee', surface: '#00ff00' }],
])('with the palette %s', (_, palette) => {
  const logo = 'https://shop.example/logo.png';
  const mails = [null, logo].flatMap((logo_url) => mailsOf(english, { palette, logo_url }));

  test.each(['light', 'dark'] as const)('everything can be read in %s mode', (scheme) => {
    for (const [name, { html }] of mails) {
      const texts = shownTexts(html, scheme);
      expect(texts.length, name).toBeGreaterThan(5);
      const faint = texts.filter(({ colour, ground }) => contrastOf(colour, ground) < readable);
      expect(faint, name).toEqual([]);
    }
  });
});

test('dark mode changes the colours, and a wanted theme has no others', () => {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) => shownTexts(parcelMail(onItsWay()).html, scheme));
  expect(dark!.map(({ text }) => text)).toEqual(light!.map(({ text }) => text));
  expect(dark![0]!.ground).not.toBe(light![0]!.ground);
  const wanted = parcelMail(onItsWay(), 0, { ...english.reader, theme: 'dark' }).html;
  expect(wanted).not.toContain('prefers-color-scheme');
  expect(shownTexts(wanted, 'light')).toEqual(dark);
});

/** What mail programs leave out without harm. Everything else works in all of them. */
const harmless: Record<string, string> = {
  '@media': 'Without it the mail is light, and as wide as the screen anyway.',
  'Type selector': 'Styles stand at the elements too.',
  '<style> element': 'Styles stand at the elements too.',
  'color-scheme meta tag': 'Programs without it know the rule for dark mode, or no dark mode.',
  '<body> element': 'The table around everything has the ground too.',
  'border-radius': 'Corners are square.',
  'display:none': 'The preheader is one pixel high.',
  'max-height property': 'The preheader is hidden by other means too.',
  overflow: 'The preheader is hidden by other means too.',
  'aria-hidden attribute': 'A sign is read aloud.',
  'role attribute': 'A reader may say that there are tables.',
  'table-layout': 'The steps have equal contents.',
  'white-space': 'A range of hours may be on two lines.',
  'word-break': 'Only a word longer than the line is wider.',
};

test('mail programs show what it is made of, by the published tables of their support', () => {
  const clients = ['gmail.*', 'outlook.*', 'apple-mail.*'] as Parameters<typeof caniemail>[0]['clients'];
  const missing = new Map<string, Set<string>>();
  const shop = { logo_url: 'https://shop.example/logo.png' };
  for (const [, { html }] of mailsOf(english, shop)) {
    const { issues } = caniemail({ clients, html });
    for (const [client, list] of issues.errors) {
      for (const { title } of list) missing.set(title, (missing.get(title) ?? new Set()).add(client));
    }
  }
  expect([...missing].filter(([title]) => !(title in harmless))).toEqual([]);
  // What is in the list but no longer used would hide the next use.
  expect(Object.keys(harmless).filter((title) => !missing.has(title))).toEqual([]);
  expect(
    [...missing.values()].flatMap((found) => [...found]).filter((client) => client === 'apple-mail.macos'),
  ).toEqual([]);
});

const hostile = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202eabc\u0000\r\nBcc: x@evil.example {shop}`;

function hostilePage(): TrackingPage {
  const page = pageAfter(eventOf('shipment_delivered_to_parcel_shop'), english, { shop: { name: hostile } });
  const [parcel] = page.parcels;
  return {
    ...page,
    order_number: hostile,
    links: {
      ...page.links,
      privacy_url: 'javascript:alert(1)',
      imprint_url: 'https://user@evil.example/',
      shop_url: hostile,
    },
    shop: { ...page.shop, logo_url: `https://shop.example/"onload="alert(1)` },
    promotion: {
      ...page.promotion!,
      title: hostile,
      subtitle: hostile,
      cta_label: hostile,
      discount_code: hostile,
      products: [{ title: hostile, image_url: null, product_url: 'data:text/html,x' }],
    },
    parcels: [
      {
        ...parcel!,
        tracking_number: hostile,
        carrier: { carrier_reference: null, name: 'DHL', tracking_url: 'javascript:alert(1)' },
        pickup: { ...parcel!.pickup!, name: hostile, address: [hostile], opening_hours: { [hostile]: hostile } },
        products: [
          { title: hostile, variant_title: hostile, quantity: 1, sku: null, image_url: 'https://shop.example/a.png' },
        ],
      },
    ],
  };
}

test('texts of shops, carriers and customers stay texts', () => {
  const page = hostilePage();
  const claim = { ...aClaim, description: hostile };
  const subjects: MailSubject[] = [
    { kind: 'parcel', page, parcel: 0 },
    { kind: 'claim_created', page, claim },
    { kind: 'claim_message', page, claim, message: { ...aMessage, author: hostile, text: hostile } },
    {
      kind: 'withdrawal',
      page,
      withdrawal: { ...aWithdrawal, name: hostile, items: [{ title: hostile, quantity: 1 }] },
    },
  ];
  for (const subject of subjects) {
    const mail = mailOf(subject, english.reader);
    expect(elementNames(mail.html).filter((element) => !allowedElements.has(element))).toEqual([]);
    expect(mail.html.match(/<script/g)?.length ?? 0).toBe(subject.kind === 'parcel' ? 1 : 0);
    expect(mail.html).not.toMatch(/<img src=x|\sonload="|javascript:|data:text|user@evil/);
    expect(mail.html + mail.text).not.toContain('\u202e');
    expect(`${mail.subject}${mail.preheader}`).not.toMatch(/\p{Cc}/u);
    expect(() => shownTexts(mail.html, 'light')).not.toThrow();
    expect(mail.text).toContain('<script>alert(1)</script>');
    if (subject.kind === 'parcel') expect(factsIn(mail.html)[0]).toMatchObject({ '@type': 'ParcelDelivery' });
  }
});

test('a text from right to left keeps its direction to itself', () => {
  const page = pageAfter('OUT_FOR_DELIVERY', english, { shop: { name: 'חנות 12' } });
  expect(parcelMail(page).text).toContain('\u2068חנות 12\u2069');
});

test.each(['"', '&', '\u{1f4e6}', 'ж'])('the longest texts that there can be fit into 30 KB: %s', (character) => {
  const long = character.repeat(5_000);
  const url = `https://shop.example/${'&'.repeat(470)}`;
  const page = hostilePage();
  const product = { title: long, variant_title: long, quantity: 2, sku: null, image_url: url };
  const [parcel] = page.parcels;
  const longest: TrackingPage = {
    ...page,
    order_number: long,
    shop: { ...page.shop, name: long, logo_url: url },
    links: { ...page.links, privacy_url: url, imprint_url: url, shop_url: url },
    promotion: {
      ...page.promotion!,
      title: long,
      subtitle: long,
      products: Array.from({ length: 10 }, () => ({ title: long, image_url: url, product_url: url })),
    },
    parcels: Array.from({ length: 2 }, () => ({
      ...parcel!,
      tracking_number: long,
      pickup: {
        ...parcel!.pickup!,
        name: long,
        address: Array.from({ length: 20 }, () => long),
        opening_hours: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${long}`, long])),
        url,
      },
      products: Array.from({ length: 50 }, () => product),
    })),
  };
  const claim = { ...aClaim, description: long };
  const items = Array.from({ length: 500 }, () => ({ title: long, quantity: 3 }));
  const subjects: MailSubject[] = [
    { kind: 'parcel', page: longest, parcel: 1 },
    { kind: 'claim_updated', page: longest, claim },
    { kind: 'claim_message', page: longest, claim, message: { ...aMessage, author: long, text: long } },
    { kind: 'withdrawal', page: longest, withdrawal: { ...aWithdrawal, name: long, items } },
  ];
  for (const subject of subjects) {
    const { html, text } = mailOf(subject, english.reader);
    expect(Math.max(bytes(html), bytes(text)), subject.kind).toBeLessThanOrEqual(maxMailBytes);
    expect(html, subject.kind).toContain('https://track.example/t/abc"');
  }
});

describe('the mail', () => {
  test('has one button, which leads to the page', () => {
    for (const [name, { html }] of mailsOf(english)) {
      const buttons = [...html.matchAll(/<a class="on-accent" href="([^"]*)"/g)].map(([, url]) => url);
      expect(buttons, name).toEqual(['https://track.example/t/abc']);
    }
  });

  test('has the offer below the answer and the products, and the footer last', () => {
    const { text } = parcelMail(onItsWay());
    const places = ['Expected 18', 'Track your parcel', 'Linen shirt', '10 % off', 'You receive this e-mail'];
    for (const part of places) expect(text).toContain(part);
    expect(places.map((part) => text.indexOf(part)).toSorted((a, b) => a - b)).toEqual(
      places.map((part) => text.indexOf(part)),
    );
  });

  test('names the day of the arrival, because it may be read later', () => {
    expect(parcelMail(onItsWay()).text).toContain('Expected arrival\n18\u2009–\u200919 November 2026');
  });

  test('says how sure our own estimate is, and names none that has not come true', () => {
    const page = onItsWay();
    const { note, overdue } = english.reader.texts.arrival.prediction;
    const mail = parcelMail(page);
    expect(mail.text).toContain(note);
    expect(factsIn(mail.html)[0]).toMatchObject({ expectedArrivalFrom: expect.stringMatching(/T00:00:00\+01:00$/) });
    const days = {
      from: '2026-11-01T00:00:00+01:00',
      to: '2026-11-02T23:59:59+01:00',
      time_prediction: '1–2 November',
    };
    const estimated_arrival = { ...page.parcels[0]!.estimated_arrival!, ...days };
    const late = parcelMail({ ...page, parcels: [{ ...page.parcels[0]!, estimated_arrival }] });
    expect(late.text).toContain(overdue);
    expect(late.text).not.toMatch(/November|nine parcels/);
    expect(JSON.stringify(factsIn(late.html))).not.toContain('expectedArrival');
  });

  test('shows no offer beside a claim or a withdrawal', () => {
    for (const [name, subject] of subjectsOf(english)) {
      if (subject.kind !== 'parcel') expect(mailOf(subject, english.reader).text, name).not.toContain('10 % off');
    }
  });

  test('tells the parcels of an order apart', () => {
    const page = onItsWay();
    const [parcel] = page.parcels;
    const two = { ...page, parcels: [parcel!, { ...parcel!, number: 2 }] };
    expect(parcelMail(two, 1).text).toContain('Parcel 2 of 2');
    expect(parcelMail(two, 1).preheader).toMatch(/^Parcel 2 of 2 · /);
    expect(parcelMail(page).text).not.toContain('Parcel 1 of 1');
  });

  test('says where and until when a parcel is collected, with opening hours', () => {
    const { text } = parcelMail(pageAfter(eventOf('shipment_delivered_to_parcel_shop'), english));
    for (const part of [
      'Parcel shop at the station',
      '04103 Leipzig',
      'Until Sunday 22 November',
      'Monday: 08:00–20:00',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('counts the products that it does not name', () => {
    const page = onItsWay();
    const [parcel] = page.parcels;
    const [product] = parcel!.products;
    const many = { ...page, parcels: [{ ...parcel!, products: Array.from({ length: 8 }, () => product!) }] };
    expect(parcelMail(many).text).toContain('Further items: 3');
  });

  test.each([
    ['shipment_in_transit', 'Track your parcel'],
    ['shipment_delivered', 'See your order'],
    ['shipment_order_cancelled', 'See your order'],
    ['return_shipment_in_transit', 'Track your return'],
    ['return_shipment_received', 'See your order'],
  ])('about %s says on its button: %s', (group, label) => {
    const page = pageAfter(eventOf(group), english, { isReturn: group.startsWith('return') });
    expect(parcelMail(page).text).toContain(`${label}\nhttps://track.example/t/abc`);
  });

  test('has the logo with the name of the shop instead of it, and pictures only by HTTPS', () => {
    const page = onItsWay();
    const [parcel] = page.parcels;
    const [one, other] = parcel!.products;
    const pictured = {
      ...page,
      shop: { ...page.shop, logo_url: 'https://shop.example/logo.png' },
      parcels: [
        {
          ...parcel!,
          products: [
            { ...one!, image_url: 'https://shop.example/1.png' },
            { ...other!, image_url: 'http://shop.example/2.png' },
          ],
        },
      ],
    };
    const { html } = parcelMail(pictured);
    expect(attributesIn(html, 'src')).toEqual(['https://shop.example/logo.png', 'https://shop.example/1.png']);
    expect(attributesIn(html, 'alt')).toEqual(['Lindenhof', '']);
  });

  test('says why it came and how to end it, unless the customer asked for it', () => {
    const { html, text } = parcelMail(onItsWay());
    expect(text).toContain('because you placed order 10024 with Lindenhof.');
    expect(text).toContain('Stop these e-mails\nhttps://track.example/u/abc');
    expect(attributesIn(html, 'href')).toContain('https://track.example/u/abc');
    const asked = mailOf(
      { kind: 'claim_message', page: onItsWay(), claim: aClaim, message: aMessage },
      { ...english.reader, unsubscribeUrl: null },
    );
    expect(asked.html + asked.text).not.toMatch(/Stop these e-mails|\/u\//);
  });

  test('is short for a short story', () => {
    expect(bytes(parcelMail(onItsWay()).html)).toBeLessThan(12_000);
  });
});

test('the message of the shop is quoted with its author and its lines', () => {
  const subject: MailSubject = { kind: 'claim_message', page: onItsWay(), claim: aClaim, message: aMessage };
  const { text, html, preheader, subject: line } = mailOf(subject, english.reader);
  expect(line).toBe('The shop has written to you about your report');
  expect(text).toContain('Message from Mira, Lindenhof\n> We are sorry.\n>\n> New cups leave today.');
  expect(html).toContain('We are sorry.<br><br>New cups leave today.');
  expect(preheader).toBe('We are sorry. New cups leave today.');
  for (const author of [null, 'Lindenhof']) {
    const shop = mailOf({ ...subject, message: { ...aMessage, author } }, english.reader);
    expect(shop.text).toContain('Message from Lindenhof\n');
  }
});

test.each([
  ['claim_created', 'pending', 'Thank you for your report'],
  ['claim_updated', 'pending', 'Your report is being checked'],
  ['claim_updated', 'accepted', 'Your report has been accepted'],
  ['claim_updated', 'rejected', 'Your report was not accepted'],
  ['claim_updated', 'closed', 'Your report is settled'],
] as const)('%s of a claim that is %s says: %s', (kind, status, sentence) => {
  const mail = mailOf({ kind, page: onItsWay(), claim: { ...aClaim, status } }, english.reader);
  expect(mail.subject).toBe(sentence);
  expect(mail.text).toContain('4F2A-91BC');
  expect(mail.text).toContain('> Two cups are broken.');
});

describe('the acknowledgement of a withdrawal', () => {
  const acknowledge = (change: Partial<typeof aWithdrawal> | { zone: null; deadline: null }) =>
    mailOf(
      { kind: 'withdrawal', page: onItsWay(), withdrawal: { ...aWithdrawal, ...change } },
      { ...english.reader, unsubscribeUrl: null },
    );

  test('repeats the declaration with its goods and its name, to the second', () => {
    const { text } = acknowledge({});
    for (const part of [
      'Your withdrawal has been received',
      'I hereby give notice that I withdraw from my contract of sale of the following goods:',
      '• Linen shirt\n',
      '• Set of four cups · Quantity: 2',
      'Ada Lovelace',
      '17 November 2026 at 10:40:05 CET',
      'Tuesday, 1 December 2026',
      'Order 10024',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('has a time in UTC and no end of the period where these are not known', () => {
    const { text } = acknowledge({ zone: null, deadline: null });
    expect(text).toContain('17 November 2026 at 09:40:05 UTC');
    expect(text).not.toContain('Last day');
  });

  test('names a hundred goods', () => {
    const items = Array.from({ length: 100 }, (_, i) => ({
      title: `Cup with a handle and a saucer, number ${i}`,
      quantity: 1,
    }));
    expect(acknowledge({ items }).text.match(/• Cup/g)).toHaveLength(100);
  });
});
