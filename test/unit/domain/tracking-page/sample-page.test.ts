import { expect, test } from 'vitest';
import { loadTexts } from '#domain/texts/texts.ts';
import { answerOf } from '#domain/tracking-page/answer.ts';
import { samplePage } from '#domain/tracking-page/sample-page.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';

const links = { page_url: '/', claim_url: null, withdrawal_url: null } as never;
const shop = { name: 'A shop', logo_url: null, palette: null } as never;

test.each(['08:00', '20:10', '21:30', '22:30', '22:59'])(
  'at %s in UTC the courier of the sample comes today',
  async (clock) => {
    const now = new Date(`2026-11-17T${clock}:00Z`);
    const context = { language: 'en' as const, texts: await loadPageTexts('en'), now };
    const sample = { eventName: 'OUT_FOR_DELIVERY' as const, shop, links, eventTexts: await loadTexts('en') };
    const [parcel] = samplePage(sample, context).parcels;
    expect(answerOf(parcel!, context).sentence).toContain('today');
  },
);
