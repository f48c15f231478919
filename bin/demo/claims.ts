import { mapConcurrently } from '#platform/batches.ts';
import { photo } from './photo.ts';
import type { Service } from './service.ts';

interface Story {
  reason: string;
  description: string;
  preference: 'reorder' | 'refund' | 'keep_with_reward';
  /** What the shop decided, one step after the other. */
  statuses: readonly ('accepted' | 'rejected' | 'closed')[];
  colour: readonly [number, number, number];
}

const stories: readonly Story[] = [
  {
    reason: 'damage',
    description: 'The box was crushed and the jacket is torn.',
    preference: 'reorder',
    statuses: [],
    colour: [150, 96, 52],
  },
  {
    reason: 'missing_product',
    description: 'The socks are not in the parcel.',
    preference: 'refund',
    statuses: [],
    colour: [120, 120, 130],
  },
  {
    reason: 'partial_damage',
    description: 'A seam at the left sleeve is open.',
    preference: 'keep_with_reward',
    statuses: ['accepted'],
    colour: [52, 104, 80],
  },
  {
    reason: 'wrong_product',
    description: 'I ordered size M and got S.',
    preference: 'reorder',
    statuses: ['accepted', 'closed'],
    colour: [70, 90, 140],
  },
  {
    reason: 'dissatisfied_with_product',
    description: 'The colour is not as in the picture.',
    preference: 'refund',
    statuses: ['rejected'],
    colour: [160, 60, 60],
  },
  {
    reason: 'return',
    description: 'The boots are too narrow.',
    preference: 'refund',
    statuses: [],
    colour: [90, 80, 60],
  },
];

const atOnce = 4;

/** Of the parcels of the past weeks one in so many had a fault, which is settled by now. */
const pastPerClaim = 30;

/** Without photos. */
export async function makePastClaims(shop: Service, delivered: readonly string[]): Promise<number> {
  const claimed = delivered.filter((_, i) => i % pastPerClaim === pastPerClaim - 1);
  const claim = async (tracking_number: string) => {
    const body = { tracking_number, reason: 'damage', resolution_preference: 'refund' };
    const { uuid } = await shop.call<{ uuid: string }>('POST', '/claims', body);
    for (const status of ['accepted', 'closed']) await shop.call('PUT', `/claims/${uuid}`, { status });
  };
  await mapConcurrently(claimed, claim, atOnce);
  return claimed.length;
}

/** Claims in every status, each with a photo. */
export async function makeClaims(shop: Service, delivered: readonly string[]): Promise<number> {
  const claimed = delivered.slice(0, 2 * stories.length);
  const urls = await Promise.all(stories.map(async ({ colour }) => (await shop.upload('claim', photo(colour))).url));
  const claim = async ([i, tracking_number]: [number, string]) => {
    const { statuses, colour: _colour, preference, ...story } = stories[i % stories.length]!;
    const image_urls = [urls[i % urls.length]];
    const body = { tracking_number, ...story, resolution_preference: preference, image_urls };
    const { uuid } = await shop.call<{ uuid: string }>('POST', '/claims', body);
    for (const status of statuses) await shop.call('PUT', `/claims/${uuid}`, { status });
  };
  await mapConcurrently([...claimed.entries()], claim, atOnce);
  return claimed.length;
}
