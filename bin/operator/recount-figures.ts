import { figuresExpiry } from '#domain/figures/count-rules.ts';
import type { DayCounter } from '#domain/figures/counter-names.ts';
import { countsOf } from '#pipeline/counts/changes.ts';
import { cohortCountsPrefix, dayCountsPrefix, keyOf, partitionOf, statisticsOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import {
  type Cell,
  type CountSource,
  countersIn,
  earlyExpiryIn,
  pagesIn,
  type TableAccess,
  wholeItemsOf,
} from './recount-source.ts';

/**
 * What is so now in a shop, what happened on each day, and what became of the parcels of each day. All that is stored is
 * counted as if it were new, by the rules of the function that reads the stream.
 */
export const figureSource = (access: TableAccess, slug: string, now: Date): CountSource => ({
  stored: () => storedFigures(access, slug, now),
  counted: () => countedFigures(access, slug, now),
  beginningOf,
});

/** They happened, and left nothing that could be counted again. */
const occurrences: ReadonlySet<string> = new Set<DayCounter>([
  'pages_opened',
  'mails_sent',
  'promotions_shown',
  'promotions_clicked',
]);

async function* storedFigures(access: TableAccess, slug: string, now: Date) {
  for await (const page of pagesIn(access, itemsIn(statisticsOf(slug)))) {
    const counters = page
      .filter(({ sk }) => isRecounted(sk, now))
      .flatMap((item) => {
        const day = dayIn(item.sk);
        return [...(day === undefined ? [] : earlyExpiryIn(item, figuresExpiry(day))), ...countersIn(item)];
      });
    yield counters.filter(({ name }) => !occurrences.has(name));
  }
}

async function* countedFigures(access: TableAccess, slug: string, now: Date) {
  for (const partition of ['orders', 'shipmentsByCreation', 'claimsByCreation'] as const) {
    const entries = itemsIn(partitionOf[partition](slug), { index: 'timeline' });
    for await (const items of wholeItemsOf(access, entries)) {
      const counts = items.flatMap((after) => countsOf({ pk: after.pk, sk: after.sk, images: { after } }));
      yield counts.filter(({ key }) => isRecounted(key.sk, now));
    }
  }
}

/** Figures of days that nobody can ask for any more go by themselves, at any time: nothing can be said about them. */
function isRecounted(sk: string, now: Date): boolean {
  const day = dayIn(sk);
  return day === undefined ? sk === nowSortKey : figuresExpiry(day) * 1000 > now.getTime();
}

const nowSortKey = keyOf.countsNow('').sk;

function dayIn(sk: string): string | undefined {
  const prefix = [dayCountsPrefix, cohortCountsPrefix].find((begin) => sk.startsWith(begin));
  return prefix === undefined ? undefined : sk.slice(prefix.length, prefix.length + 'yyyy-mm-dd'.length);
}

/** What is so now has no beginning. */
function beginningOf({ key }: Cell): number {
  const day = dayIn(key.sk);
  return day === undefined ? Number.NEGATIVE_INFINITY : Date.parse(day);
}
