import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trackingView } from '#api/pages/views/tracking-view.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { phases, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import type { PageParcel, TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { contextIn, phaseFacts, sampleFacts, token } from '#test/kit/page-samples.ts';
import { elementsIn, named, parseHtml, textOf, textsOf } from '#test/kit/parse-html.ts';

const english = await contextIn('en');
const sample = await sampleFacts();

const render = (page: TrackingPage, options = {}) => parseHtml(trackingView(page, english, options).content);
const withParcel = (page: TrackingPage, parcel: Partial<PageParcel>): TrackingPage => ({
  ...page,
  parcels: [{ ...page.parcels[0]!, ...parcel }],
});
const linksOf = (page: ReturnType<typeof parseHtml>) => named(page, 'a').map(({ attributes }) => attributes.href);

describe('the headers of a page', () => {
  const { headers, content } = trackingView(sample, english);
  const policy = headers['Content-Security-Policy']!;

  test('allow exactly the styles and the script that are on it', () => {
    const hashes = ['style', 'script'].flatMap((name) =>
      named(parseHtml(content), name).map(
        (one) => `'sha256-${createHash('sha256').update(textOf(one)).digest('base64')}'`,
      ),
    );
    expect(policy.match(/'sha256-[^']+'/g)).toEqual(hashes);
    expect(policy).not.toContain('unsafe');
  });

  test('allow images of exactly the origins that are on it', () => {
    expect(policy).toContain('img-src data: https://shop.example;');
    const product = { ...sample.parcels[0]!.products[0]!, image_url: 'https://cdn.example:8443/a/b.jpg' };
    const { headers: other } = trackingView(withParcel(sample, { products: [product] }), english);
    expect(other['Content-Security-Policy']).toContain('img-src data: https://shop.example https://cdn.example:8443;');
  });

  test('keep it out of caches, search engines and referrers', () => {
    expect(headers).toMatchObject({
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Content-Language': 'en',
    });
  });

  test('name Greek by its registered tag', async () => {
    const page = trackingView(await sampleFacts({ language: 'gr' }), await contextIn('gr'));
    expect(page.headers['Content-Language']).toBe('el');
    expect(page.content).toContain('<html lang="el"');
  });

  test('stay small however many hosts the images have', () => {
    const products = Array.from({ length: 300 }, (_, i) => ({
      ...sample.parcels[0]!.products[0]!,
      image_url: `https://${'a'.repeat(60)}.${'b'.repeat(60)}.host-${i}.example/x.jpg`,
    }));
    const page = trackingView(withParcel(sample, { products }), english);
    expect(page.headers['Content-Security-Policy']!.length).toBeLessThan(6000);
    const images = named(parseHtml(page.content), 'img');
    for (const { attributes } of images) {
      expect(page.headers['Content-Security-Policy']).toContain(new URL(attributes.src!).origin);
    }
  });

  test('cannot be changed by the host of an image', () => {
    const hosts = ["https://a;script-src'x'/x.png", 'https://a,b/x.png', 'https://[::1]/x.png', 'https://*/x.png'];
    for (const logo_url of hosts) {
      const page = trackingView({ ...sample, shop: { ...sample.shop, logo_url } }, english);
      expect(page.headers['Content-Security-Policy']).toContain('img-src data:;');
    }
  });
});

describe('the page', () => {
  test('begins with the answer', () => {
    const page = render(sample);
    expect(textsOf(page, 'h1')).toEqual(['Arrives today, 15:00–17:00']);
    expect(textOf(named(page, 'ol')[0]!)).toContain('Out for delivery');
    const current = elementsIn(page).filter(({ attributes }) => attributes['aria-current'] === 'step');
    expect(current.map(textOf)).toEqual(['Out for delivery']);
  });

  test('has the offer after the answer, the journey and the products', () => {
    expect(textsOf(render(sample), 'h2')).toEqual([
      'The journey so far',
      'Details of the parcel',
      'What you ordered',
      '10 % off your next order',
      'Need help?',
    ]);
  });

  test('leads to the form, the promotion, the carrier and the shop, and within our pages by relative links', () => {
    expect(linksOf(render(sample))).toEqual(
      expect.arrayContaining([
        `${token}/claim?lang=en`,
        `${token}/go/${sample.promotion!.promotion_id}?lang=en`,
        'https://www.dhl.de/',
        'https://shop.example/help',
        'https://shop.example/imprint',
      ]),
    );
  });

  test('refreshes itself only while a parcel is under way, and never as a preview', async () => {
    const isLive = (page: ReturnType<typeof parseHtml>) => 'data-live' in named(page, 'main')[0]!.attributes;
    expect(isLive(render(sample))).toBe(true);
    expect(isLive(render(await phaseFacts('delivered')))).toBe(false);
    expect(isLive(render(sample, { isPreview: true }))).toBe(false);
  });

  test('says that it is a preview, and its own links lead nowhere', () => {
    const page = render(sample, { isPreview: true });
    expect(textOf(page)).toContain('Preview with sample data');
    expect(linksOf(page).filter((href) => href?.includes(token))).toEqual([]);
  });

  const claim = {
    uuid: '01a1e39a-846e-77f1-8d93-e6704f2a91bc',
    number: '4F2A-91BC',
    reason: 'damage' as const,
    status: 'pending' as const,
    created_at: '2026-11-15T10:00:00Z',
    description: 'The box was <crushed>.',
    messages: [],
  };

  test('shows an open claim before the answer, with its number, its state, what is next and the customer’s words', () => {
    const page = render({ ...sample, claims: [claim] }, { notice: 'claim_sent' });
    const text = textOf(page);
    for (const part of ['Everything is damaged', 'Being checked', '4F2A-91BC', 'will answer you', '<crushed>'])
      expect(text.indexOf(part), part).toBeGreaterThan(0);
    expect(text.indexOf('4F2A-91BC')).toBeLessThan(text.indexOf('Step '));
    expect(elementsIn(page).some(({ attributes }) => attributes.role === 'status')).toBe(true);
  });

  test('shows a closed claim after the answer', () => {
    const text = textOf(render({ ...sample, claims: [{ ...claim, status: 'closed' as const }] }));
    expect(text.indexOf('4F2A-91BC')).toBeGreaterThan(text.indexOf('Step '));
  });

  test('does not ask for a report that the shop has', async () => {
    const mainButtons = (page: Parameters<typeof elementsIn>[0]) =>
      elementsIn(page).filter(({ attributes }) => attributes.class === 'button' && attributes.href?.includes('claim'));
    const arrived = await phaseFacts('delivered');
    expect(mainButtons(render(arrived))).toHaveLength(1);
    const reported = render({ ...arrived, claims: [claim] });
    expect(mainButtons(reported)).toEqual([]);
    expect(textOf(reported)).toContain('You have told the shop');
    expect(textOf(reported)).toContain('Report another problem');
    expect(mainButtons(render({ ...arrived, claims: [{ ...claim, status: 'closed' as const }] }))).toHaveLength(1);
  });

  test('shows the phone and the e-mail address of the shop as links that a phone understands', () => {
    const page = render({
      ...sample,
      shop: { ...sample.shop, contact_phone: '+49 (0)40 / 123-456', contact_email: 'help+me@shop.example' },
    });
    expect(linksOf(page)).toEqual(expect.arrayContaining(['tel:+4940123456', 'mailto:help%2Bme@shop.example']));
    const odd = { contact_phone: 'javascript:1', contact_email: 'a@b?subject=x, c' };
    const strange = render({ ...sample, shop: { ...sample.shop, ...odd } });
    expect(linksOf(strange).filter((href) => /^(tel|mailto|javascript):/.test(href ?? ''))).toEqual([]);
    expect(textOf(strange)).toContain('javascript:1');
  });

  test('has buttons to copy and share the number, which stay hidden without the script', () => {
    const buttons = elementsIn(render(sample)).filter(({ name }) => name === 'button');
    expect(
      buttons.map(({ attributes }) => [attributes['data-copy'] ?? attributes['data-share'], attributes.hidden]),
    ).toEqual([
      ['00340434161094042557', ''],
      ['DHL 00340434161094042557', ''],
    ]);
  });

  test('shows where and until when the parcel can be collected, and the opening hours from Monday on', async () => {
    const page = render(await phaseFacts('collect'));
    expect(textOf(page)).toContain('Please collect your parcel by Saturday 21 November');
    expect(textOf(page)).toContain('Parcel shop at the station');
    expect(textsOf(page, 'th')).toEqual(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']);
  });

  test('says that a neighbour has the parcel if its event does not, and says it once', async () => {
    const pickup = { type: 'neighbour', name: null, address: null, url: null, opening_hours: null, date_to: null };
    const headings = async (eventName: 'SUCCESSFULLY_DELIVERED' | 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR') => {
      const page = render(withParcel(await sampleFacts({ eventName }), { pickup }));
      expect(textOf(page).split('Please ask your neighbours')).toHaveLength(2);
      return textsOf(page, 'h2');
    };
    expect(await headings('SUCCESSFULLY_DELIVERED')).toContain('With a neighbour');
    expect(await headings('SUCCESSFULLY_DELIVERED_TO_NEIGHBOR')).not.toContain('With a neighbour');
  });

  test('offers the shop where it takes no claims, and claims where it has no contact', async () => {
    const lost = await sampleFacts({ eventName: 'SHIPMENT_LOST' });
    const ways = (links: Partial<TrackingPage['links']>) =>
      named(render({ ...lost, links: { ...lost.links, ...links } }), 'a')
        .filter(({ attributes }) => attributes.class?.startsWith('button'))
        .map(textOf);
    expect(ways({})).toEqual(['Report a problem', 'Contact the shop', 'Look around', 'Report a problem']);
    expect(ways({ claim_url: null })).toEqual(['Contact the shop', 'Look around']);
    expect(ways({ support_url: null, service_url: null })).toEqual([
      'Report a problem',
      'Look around',
      'Report a problem',
    ]);
    expect(ways({ claim_url: null, support_url: null, service_url: null })).toEqual(['Look around']);
  });

  test('says what happened, what happens next and what to do, in this order', async () => {
    const page = render(await sampleFacts({ eventName: 'SHIPMENT_LOST' }));
    expect(textsOf(page, 'dt').slice(0, 3)).toEqual(['What happened', 'What happens next', 'What you can do']);
  });

  test('folds the repeated scans of a day', () => {
    const [event] = sample.parcels[0]!.events;
    const events = Array.from({ length: 8 }, () => event!);
    const page = render(withParcel(sample, { events }));
    expect(textsOf(page, 'summary')).toEqual(['Show 6 more steps']);
    expect(textsOf(page, 'h3')).toEqual(['Today']);
  });

  test('shows an event without a zone on the clock of the nearest event that has one, and names UTC if none has', () => {
    const [event] = sample.parcels[0]!.events;
    const clocks = (...zones: (string | null)[]) => {
      const events = zones.map((timezone) => ({ ...event!, time: '2026-11-15T10:00:00Z', timezone }));
      return elementsIn(render(withParcel(sample, { events })))
        .filter(({ name, attributes }) => name === 'time' && attributes.datetime?.includes('T'))
        .map(textOf);
    };
    expect(clocks(null, 'Europe/Berlin', 'Mars', null, 'Europe/Lisbon')).toEqual([
      '11:00',
      '11:00',
      '11:00',
      '10:00',
      '10:00',
    ]);
    expect(clocks(null, 'Mars')).toEqual(['10:00 UTC', '10:00 UTC']);
  });

  test('has a section for each parcel of a split order, and folds those beyond the fourth', async () => {
    const parcels = Array.from({ length: 50 }, (_, i) => ({ ...sample.parcels[0]!, number: i + 1 }));
    const page = render({ ...sample, parcels });
    expect(textsOf(page, 'h1')).toEqual(['Your order comes in 50 parcels']);
    expect(textsOf(page, 'h2').slice(0, 5)).toEqual(
      expect.arrayContaining(['Parcel 1 of 50', 'Parcel 2 of 50', 'Parcel 3 of 50', 'Parcel 4 of 50']),
    );
    expect(textsOf(page, 'summary').filter((text) => text.startsWith('Parcel '))).toHaveLength(46);
    const ids = elementsIn(page).flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('counts the parcels of an order and its returns apart', async () => {
    const [parcel] = sample.parcels;
    const [back] = (await sampleFacts({ eventName: 'SUCCESSFULLY_DELIVERED', isReturn: true })).parcels;
    const titles = (...parcels: PageParcel[]) => {
      const page = render({ ...sample, parcels });
      return [...textsOf(page, 'h1'), ...textsOf(page, 'h2').filter((text) => /parcel|^Your return/i.test(text))];
    };
    const second = <P extends object>(one: P) => ({ ...one, number: 2 });
    expect(titles(back!, parcel!)).toEqual([
      'The shop has received your return',
      'Details of the parcel',
      'Your parcel',
    ]);
    expect(titles(parcel!, second(parcel!), back!, second(back!))).toEqual([
      'Your order comes in 2 parcels',
      'Parcel 1 of 2',
      'Parcel 2 of 2',
      'Your return 1',
      'Your return 2',
    ]);
    expect(textOf(render({ ...sample, parcels: [parcel!, second(parcel!), back!] }))).toContain('Returns: 1');
  });

  test('keeps the advice about a damage until the parcel is there, and says nothing of a number after a cancellation', async () => {
    const { parcels } = await sampleFacts({ eventName: 'SUCCESSFULLY_DELIVERED' });
    const damage = { ...parcels[0]!.events[1]!, event_name: 'SHIPMENT_DAMAGED' as const };
    const damaged = { ...parcels[0]!, events: [...parcels[0]!.events, damage] };
    expect(textOf(render({ ...sample, parcels: [damaged] }))).toContain('please take photos of the damage');
    expect(textOf(render({ ...sample, parcels }))).not.toContain('photos of the damage');
    const cancelled = await sampleFacts({ eventName: 'ORDER_CANCELLED' });
    const text = textOf(render(withParcel(cancelled, { tracking_number: null })));
    expect(text).not.toContain('gets its tracking number');
  });

  test('lists what was ordered once, and what is in a parcel only if that is known', () => {
    const [parcel] = sample.parcels;
    const own = { ...parcel!, products_of: 'parcel' as const };
    const parcels = [own, parcel!, { ...own, products: [] }];
    const titles = (page: TrackingPage) => [...textsOf(render(page), 'h2'), ...textsOf(render(page), 'h3')];
    const split = titles({ ...sample, parcels });
    expect(split.filter((title) => title === 'What you ordered')).toHaveLength(1);
    expect(split.filter((title) => title === 'In this parcel')).toHaveLength(1);
    expect(titles({ ...sample, parcels: [own] })).toContain('In this parcel');
  });

  test.each([
    ['no parcels', { parcels: [] }, 'The shop has your order'],
    ['no events', { parcels: [{ ...sample.parcels[0]!, events: [] }] }, 'There is no news yet'],
    ['no number', { parcels: [{ ...sample.parcels[0]!, tracking_number: null }] }, 'gets its tracking number'],
    [
      'an estimate that is over',
      withParcel(sample, {
        estimated_arrival: { ...sample.parcels[0]!.estimated_arrival!, from: '2026-11-10', to: '2026-11-11' },
      }),
      'The expected time has passed',
    ],
  ])('has something to say with %s', (_, facts, text) => {
    expect(textOf(render({ ...sample, ...facts }))).toContain(text);
  });
});

test('every phase in every language has one main heading, a current step and something to do', async () => {
  for (const language of languages) {
    const context = await contextIn(language);
    for (const phase of phases) {
      const page = parseHtml(trackingView(await phaseFacts(phase, { language }), context).content);
      const place = `${language} ${phase}`;
      expect(named(page, 'h1'), place).toHaveLength(1);
      expect(
        elementsIn(page).filter(({ attributes }) => attributes['aria-current'] === 'step'),
        place,
      ).toHaveLength(1);
      expect(named(page, 'a').filter(({ attributes }) => attributes.class === 'button').length, place).toBeGreaterThan(
        0,
      );
      expect(textOf(named(page, 'main')[0]!), place).not.toMatch(/\b(undefined|null|NaN)\b|\{\w+\}/);
    }
  }
});

test('every event has a page', async () => {
  for (const eventName of shipmentEventNames) {
    expect(named(render(await sampleFacts({ eventName })), 'h1'), eventName).toHaveLength(1);
  }
});

test('an order of one parcel with ten events takes at most 20 KB, compressed', async () => {
  const page = await phaseFacts('return_received');
  const events = [...page.parcels[0]!.events, ...page.parcels[0]!.events].slice(0, 10);
  const { content } = trackingView(withParcel(page, { events }), english);
  expect(gzipSync(content).length).toBeLessThan(20 * 1024);
});

describe('hostile texts', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      '</title></style></script></textarea><svg onload=alert(1)>',
      'javascript:alert(1)',
      '\u0001java\tscript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'blob:https://shop.example/1',
      'mailto:a@shop.example?body="<script>',
      '//evil.example/"onload="x',
      '\u202e\u2066\u200fevil',
      '{number} {shop} ${x}',
      'x'.repeat(2000),
      'https://shop.example/"onload="x',
    ),
  );
  const allowed = new Set(
    elementsIn(render({ ...full(() => 'https://shop.example/x') })).flatMap(({ attributes }) =>
      Object.keys(attributes),
    ),
  );

  test('never become markup, whatever field they are in', () => {
    fc.assert(
      fc.property(fc.infiniteStream(hostile), (stream) => {
        const page = render(full(() => stream.next().value));
        for (const { name, attributes } of elementsIn(page)) {
          expect(Object.keys(attributes).filter((attribute) => !allowed.has(attribute))).toEqual([]);
          if (name === 'a')
            expect(attributes.href).toMatch(
              /^(https?:\/\/|mailto:|tel:|#[\w-]+$|([\w%.~!'()*-]+\/)?(claim|go(\/[\w%.~!'()*-]+)?)\?lang=en$)/,
            );
          if (name === 'img') expect(attributes.src).toMatch(/^https?:\/\//);
        }
        expect(named(page, 'script')).toHaveLength(1);
        expect(named(page, 'style')).toHaveLength(2);
      }),
      { numRuns: 150 },
    );
  });

  test('of ten thousand characters are folded, and whole', () => {
    const text = `${'word '.repeat(1999)}end.`;
    const page = render({ ...sample, announcements: [{ text }] });
    const [details] = named(page, 'details');
    expect(textOf(details!)).toContain(text);
    expect(textsOf(page, 'summary')).toEqual(['Read all']);
  });

  /** A page with such a text in every field that is shown. */
  function full(text: () => string): TrackingPage {
    const strings = () => ({
      event_status: text(),
      list_label: text(),
      header_headline: text(),
      header_title: text(),
      header_subtitle: text(),
    });
    const [parcel] = sample.parcels;
    const parcelOf = (): PageParcel => ({
      ...parcel!,
      tracking_number: text(),
      carrier: { carrier_reference: text(), name: text(), tracking_url: text() },
      phase: 'collect',
      event_name: 'ARRIVED_AT_PARCEL_SHOP',
      event_strings: strings(),
      estimated_arrival: { from: text(), to: text(), time_prediction: text(), language: 'en', source: text() },
      pickup: {
        type: text(),
        name: text(),
        address: [text(), text()],
        url: text(),
        opening_hours: { [text()]: text() },
        date_to: text(),
      },
      products: [{ title: text(), variant_title: text(), quantity: 2, sku: text(), image_url: text() }],
      rating: { stars: 4, text: text(), at: text() },
      events: parcel!.events.map((event) => ({
        ...event,
        timezone: text(),
        location: { city: text(), country_code: text() },
        event_strings: strings(),
      })),
    });
    return {
      ...sample,
      order_number: text(),
      shop: { ...sample.shop, name: text() || 'x', logo_url: text() },
      parcels: [parcelOf(), parcelOf()],
      promotion: {
        promotion_id: text(),
        title: text(),
        subtitle: text(),
        cta_label: text(),
        image_url: text(),
        discount_code: text(),
        url: text(),
        products: [{ title: text(), image_url: text(), product_url: text() }],
      },
      deals: [
        {
          title: text(),
          description: text(),
          brand_image_url: text(),
          brand_logo_url: text(),
          cta_url: text(),
          discount_code: text(),
        },
      ],
      announcements: [{ text: text() }],
      claims: [
        {
          uuid: text(),
          number: text(),
          reason: 'damage',
          status: 'pending',
          created_at: text(),
          description: text(),
          messages: (['shop', 'customer'] as const).map((from) => ({
            at: text(),
            from,
            author: text(),
            text: text(),
            image_urls: [text(), text()],
          })),
        },
      ],
      links: {
        page_url: text(),
        claim_url: text(),
        rating_url: text(),
        withdrawal_url: text(),
        shop_url: text(),
        service_url: text(),
        faq_url: text(),
        support_url: text(),
        privacy_url: text(),
        imprint_url: text(),
      },
    };
  }
});
