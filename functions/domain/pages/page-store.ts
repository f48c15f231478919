import type { PageClaim } from '#domain/claims/claim-store.ts';
import { isPageToken, type pageReferenceItem } from '#domain/orders/tracking-page.ts';
import type { PageWithdrawal } from '#domain/withdrawals/withdrawal-rules.ts';
import {
  claimPrefix,
  clickedPrefix,
  pageReference,
  pageVisits,
  pageWithdrawal,
  shownPrefix,
  trackingPageOf,
} from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { type Rating, ratingsIn } from './rating.ts';

/** What the token of a tracking page leads to. */
export interface Page {
  token: string;
  slug: string;
  orderId: string;
  /** Newest first. */
  claims: PageClaim[];
  /** Undefined if the customer has not withdrawn from the contract. */
  withdrawal: PageWithdrawal | undefined;
  /** The campaigns whose showing to this order was counted, with the A/B test of the showing if there was one. */
  shown: ReadonlyMap<string, string | undefined>;
  /** When it was looked at, oldest first. */
  visits: readonly string[];
  /** The language of the last visit, if it is known. */
  language?: Language | undefined;
  /** The campaigns whose click was counted. */
  clicked: ReadonlySet<string>;
  ratings: readonly Rating[];
}

type Item = { sk: string; test?: string; visits?: string[]; language?: Language } & Partial<
  ReturnType<typeof pageReferenceItem> & PageClaim & Rating
>;

/** Undefined if no order has this token. The read is consistent: a customer who made a claim sees it. */
export async function findPage(token: string): Promise<Page | undefined> {
  if (!isPageToken(token)) return undefined;
  const items = await allItemsIn<Item>(trackingPageOf(token));
  const reference = items.find(({ sk }) => sk === pageReference);
  if (!reference) return undefined;
  const visited = items.find(({ sk }) => sk === pageVisits);
  return {
    token,
    slug: reference.slug!,
    orderId: reference.order_id!,
    claims: items
      .filter(({ sk }) => sk.startsWith(claimPrefix))
      .map(toClaim)
      .reverse(),
    withdrawal: withdrawalIn(items),
    visits: visited?.visits ?? [],
    language: visited?.language,
    shown: new Map(after(shownPrefix, items)),
    clicked: new Set(after(clickedPrefix, items).map(([campaignId]) => campaignId)),
    ratings: ratingsIn(items),
  };
}

/** The uuids of claims begin with their time, and so do the sort keys. */
const toClaim = ({ sk, reason, status, created_at, description = null, message_count }: Item) =>
  ({ uuid: sk.slice(claimPrefix.length), reason, status, created_at, description, message_count }) as PageClaim;

function withdrawalIn(items: readonly Item[]): PageWithdrawal | undefined {
  const found = items.find(({ sk }) => sk === pageWithdrawal) as
    | (PageWithdrawal & { pk: string; sk: string })
    | undefined;
  if (!found) return undefined;
  const { pk: _pk, sk: _sk, ...withdrawal } = found;
  return withdrawal;
}

const after = (prefix: string, items: readonly Item[]) =>
  items
    .filter(({ sk }) => sk.startsWith(prefix))
    .map(({ sk, test }): [string, string | undefined] => [sk.slice(prefix.length), test]);
