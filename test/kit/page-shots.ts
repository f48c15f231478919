import { claimView } from '#api/pages/views/claim-view.ts';
import { errorView } from '#api/pages/views/error-view.ts';
import { lookupView } from '#api/pages/views/lookup-view.ts';
import { messageView } from '#api/pages/views/message-view.ts';
import { ratingView } from '#api/pages/views/rating-page-view.ts';
import { trackingView } from '#api/pages/views/tracking-view.ts';
import type { Brand } from '#api/pages/views/view.ts';
import type { RawResponse } from '#platform/http/request.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { phases } from '#schemas/catalogues/shipment-events.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { contextIn, type Days, links, phaseFacts, predictedFacts, sampleFacts, shop } from './page-samples.ts';

/** Pages to look at, by name. */
type Shot = () => Promise<RawResponse>;

const awful: Brand = {
  name: 'Neon Planet',
  logo_url: null,
  palette: {
    primary_dark: '#FFFF00',
    primary_light: '#00FF00',
    secondary_dark: '#FF00FF',
    secondary_light: '#FF0000',
    background: '#00FFFF',
    surface: '#FFA500',
  },
};
const plain: Brand = {
  name: 'Café Ørsted',
  logo_url: null,
  palette: {
    primary_dark: '#1F2933',
    primary_light: '#F5F7FA',
    secondary_dark: '#52606D',
    secondary_light: '#CBD2D9',
    background: '#FFFFFF',
    surface: '#F9FAFB',
  },
};

const phaseShots = (name: string, language: Language, brand: Brand) =>
  phases.map((phase): [string, Shot] => [
    `${name}-${phase}`,
    async () => trackingView(await phaseFacts(phase, { language, brand }), await contextIn(language)),
  ]);

const predictedWindows: Record<string, { days: Days; moved?: boolean }> = {
  day: { days: ['2026-11-17', '2026-11-17'] },
  days: { days: ['2026-11-18', '2026-11-20'] },
  months: { days: ['2026-11-30', '2026-12-02'] },
  years: { days: ['2026-12-30', '2027-01-02'] },
  begun: { days: ['2026-11-16', '2026-11-19'] },
  over: { days: ['2026-11-12', '2026-11-14'] },
  moved: { days: ['2026-11-19', '2026-11-20'], moved: true },
};

const predictedShots = (name: string, language: Language, brand: Brand) =>
  Object.entries(predictedWindows).map(([window, { days, moved = false }]): [string, Shot] => [
    `predicted-${name}-${window}`,
    async () => trackingView(await predictedFacts(language, days, { moved, brand }), await contextIn(language)),
  ]);

const damaged = {
  uuid: '01a1e39a-846e-77f1-8d93-e6704f2a91bc',
  number: '4F2A-91BC',
  reason: 'damage' as const,
  status: 'pending' as const,
  created_at: '2026-11-15T10:00:00Z',
  description: 'The box was crushed.',
};

const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '.repeat(140);

export const pageShots: Record<string, Shot> = {
  ...Object.fromEntries([
    ...phaseShots('en', 'en', shop),
    ...phaseShots('de', 'de', plain),
    ...phaseShots('el', 'gr', shop),
    ...phaseShots('hu', 'hu', awful),
    ...predictedShots('en', 'en', shop),
    ...predictedShots('de', 'de', plain),
    ...predictedShots('fr', 'fr', shop),
    ...predictedShots('pl', 'pl', plain),
    ...predictedShots('el', 'gr', shop),
    ...predictedShots('hu', 'hu', awful),
  ]),
  damaged: async () => trackingView(await sampleFacts({ eventName: 'SHIPMENT_DAMAGED' }), await contextIn('en')),
  delayed: async () => trackingView(await sampleFacts({ eventName: 'DELAY_EXPECTED' }), await contextIn('en')),
  lost: async () => trackingView(await sampleFacts({ eventName: 'SHIPMENT_LOST' }), await contextIn('en')),
  talk: async () => {
    const page = await sampleFacts({ eventName: 'OUT_FOR_DELIVERY' });
    return trackingView({ ...page, claims: [{ ...damaged, messages: conversation(100) }] }, await contextIn('en'), {
      notice: 'message_sent',
    });
  },
  'talk-hu': async () => {
    const page = await sampleFacts({ eventName: 'SUCCESSFULLY_DELIVERED', language: 'hu' });
    return trackingView({ ...page, claims: [{ ...damaged, messages: conversation(2) }] }, await contextIn('hu'));
  },
  'message-faults': async () => {
    const page = await sampleFacts({ eventName: 'OUT_FOR_DELIVERY' });
    const claim = { ...damaged, messages: conversation(2) };
    const faults = { text: 'message_missing', images: 'images_too_large' } as const;
    return messageView(
      { ...page, claims: [claim] },
      claim,
      { formKey: 'key', text: '', faults },
      await contextIn('en'),
    );
  },
  rated: async () => {
    const page = await sampleFacts({ eventName: 'SUCCESSFULLY_DELIVERED' });
    const rating = { stars: 4, text: 'On time and in good shape.', at: '2026-11-16T10:00:00Z' };
    const parcels = page.parcels.map((parcel) => ({ ...parcel, rating }));
    return trackingView({ ...page, parcels }, await contextIn('en'), { notice: 'rating_sent' });
  },
  'rating-faults': async () => {
    const page = await sampleFacts({ eventName: 'SUCCESSFULLY_DELIVERED' });
    const values = { stars: '', text: 'It came a day late.', parcel: '' };
    return ratingView(page, { formKey: 'key', values, faults: { stars: 'stars_missing' } }, await contextIn('en'));
  },
  full: async () => {
    const page = await sampleFacts({ eventName: 'ARRIVED_AT_PARCEL_LOCKER' });
    return trackingView(
      {
        ...page,
        claims: [
          {
            uuid: '01a1e39a-846e-77f1-8d93-e6704f2a91bc',
            number: '4F2A-91BC',
            reason: 'missing_product',
            status: 'pending',
            created_at: '2026-11-15T10:00:00Z',
            description: 'The socks are not in the parcel.\nEverything else is fine.',
            messages: conversation(5),
          },
          {
            uuid: '01a1e39a-846e-77f1-8d93-e6700c117e2d',
            number: '0C11-7E2D',
            reason: 'damage',
            status: 'accepted',
            created_at: '2026-11-10T10:00:00Z',
            description: null,
            messages: [],
          },
        ],
        announcements: [{ text: 'Parcels to the islands take a day longer this week.' }, { text: long }],
        promotion: {
          ...page.promotion!,
          image_url: 'https://shop.example/winter.jpg',
          discount_code: 'WINTER10',
          products: [{ title: 'Wool scarf', image_url: null, product_url: 'https://shop.example/scarf' }],
        },
        deals: [
          {
            title: 'Coffee from Bremen',
            description: 'Roasted by hand, sent on the day.',
            brand_image_url: null,
            brand_logo_url: null,
            cta_url: 'https://coffee.example/',
            discount_code: 'BEANS',
          },
        ],
      },
      await contextIn('en'),
      { notice: 'claim_sent' },
    );
  },
  split: async () => {
    const parcels = await Promise.all(
      (['collect', 'in_transit', 'delivered', 'order_created', 'delivered', 'in_delivery'] as const).map(
        async (phase) => (await phaseFacts(phase)).parcels[0]!,
      ),
    );
    return trackingView({ ...(await sampleFacts()), parcels }, await contextIn('en'));
  },
  empty: async () =>
    trackingView({ ...(await sampleFacts()), parcels: [], promotion: null }, await contextIn('en'), {
      isPreview: true,
    }),
  long: async () => {
    const page = await sampleFacts({ eventName: 'ARRIVED_AT_PARCEL_SHOP' });
    const [parcel] = page.parcels;
    return trackingView(
      {
        ...page,
        order_number: long.replaceAll(' ', ''),
        shop: { ...page.shop, name: long, logo_url: null },
        parcels: [
          {
            ...parcel!,
            tracking_number: long.replaceAll(' ', '').slice(0, 255),
            carrier: { ...parcel!.carrier, name: long },
            pickup: { ...parcel!.pickup!, name: long, address: [long.slice(0, 500)], opening_hours: { [long]: long } },
            products: [{ title: long, variant_title: long, quantity: 1_000_000, sku: null, image_url: null }],
          },
        ],
      },
      await contextIn('en'),
    );
  },
  claim: async () =>
    claimView(
      await sampleFacts(),
      {
        formKey: 'key',
        values: { reason: 'damage', description: 'The lid is broken.', selected_items: ['cups'] },
        items: [
          { value: 'shirt', title: 'Linen shirt', image_url: null, parcel: 0 },
          { value: 'cups', title: 'Set of four cups', image_url: null, parcel: 0 },
        ],
        faults: { reason: 'reason_missing', description: 'description_too_long', images: 'images_too_large' },
      },
      await contextIn('en'),
    ),
  lookup: async () => lookupView({ ...shop, links }, { values: {}, state: 'empty' }, await contextIn('en')),
  'lookup-not-found': async () =>
    lookupView({ ...shop, links }, { values: {}, state: 'not_found' }, await contextIn('en')),
  'lookup-faulty': async () => lookupView({ ...shop, links }, { values: {}, state: 'faulty' }, await contextIn('en')),
  'not-found': async () => errorView({ status: 404 }, await contextIn('en')),
  failed: async () => errorView({ status: 500 }, await contextIn('en')),
};

/** Shop and customer in turns, the last message with a photo that cannot be loaded. */
const conversation = (length: number): TrackingPage['claims'][number]['messages'] =>
  Array.from({ length }, (_, i) => {
    const isShop = i % 2 === 1;
    return {
      at: new Date(Date.parse('2026-11-15T11:00:00Z') + i * 3_600_000).toISOString(),
      from: isShop ? ('shop' as const) : ('customer' as const),
      author: isShop ? shop.name : null,
      text: isShop ? 'We are sorry. We send you the socks today.' : 'Thank you.\nWill they come before Friday?',
      image_urls: i === length - 1 ? ['https://images.example/socks.jpg'] : [],
    };
  });
