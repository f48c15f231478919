import type { PageParcel } from '#schemas/shapes/tracking-page.ts';
import { answerOf } from './answer.ts';
import { dayText, isPredicted, put, type Reader, timeOf, weekdayName } from './dates.ts';
import { type Situation, situationOf, wasDamaged } from './journey.ts';

/** What there is to say of a parcel after its answer: what happened, what happens next, what the customer can do. */
export interface Story {
  /** What stands below the answer. */
  lines: string[];
  /** Null if nothing is wrong. */
  exception: { happened: string; next: string } | null;
  youCan: string;
}

/** @param hasReported whether what became of the customer's report stands above */
export function storyOf(parcel: PageParcel, hasReported: boolean, reader: Reader): Story {
  const { tone, isArrival, isOverdue } = answerOf(parcel, reader);
  const { header_title, header_subtitle, event_status } = parcel.event_strings;
  const situation = situationOf(parcel, reader.now);
  const isCollecting = situation === 'collect' || situation === 'collect_until';
  const { arrival } = reader.texts;
  const isException = !isCollecting && (tone === 'attention' || tone === 'failed');
  const lines = [
    isException && isArrival && header_title,
    !isException && !isCollecting && !saysItAll.has(situation) && header_subtitle,
    isOverdue && (isPredicted(parcel) ? arrival.prediction.overdue : arrival.overdue),
  ];
  return {
    lines: lines.filter((line) => line !== false),
    exception: isException ? { happened: event_status, next: header_subtitle } : null,
    youCan: put(adviceOf(parcel, situation, hasReported, reader), { day: collectDay(parcel, reader) ?? '' }),
  };
}

/** Situations whose advice says what the subtitle says. */
const saysItAll: ReadonlySet<Situation> = new Set([
  'delivered',
  'delivered_letterbox',
  'delivered_neighbour',
  'return_registered',
  'return_received',
]);

function adviceOf(parcel: PageParcel, situation: Situation, hasReported: boolean, { texts }: Reader): string {
  if (hasReported && asksForReport.has(situation)) return texts.claims.told;
  const isStillDamaged = wasDamaged(parcel) && hidesDamage.has(situation);
  return texts.next.situations[isStillDamaged ? 'damaged_on_the_way' : situation];
}

/** Where all that a customer can do is to tell the shop. */
const asksForReport: ReadonlySet<Situation> = new Set(['delivered', 'delivered_letterbox', 'not_delivered']);

/** A parcel that goes on after a damage is still damaged. */
const hidesDamage: ReadonlySet<Situation> = new Set(['on_the_way', 'out_for_delivery', 'delivered']);

/** Until when the parcel can be collected: “Friday, 20 November”. */
export function collectDay({ pickup, events }: PageParcel, reader: Reader): string | undefined {
  const end = timeOf(pickup?.date_to);
  return end && dayText(end, events.find(({ timezone }) => timezone)?.timezone, reader);
}

/** The days of a week in their order, by their names in the language. */
export function openingHours(hours: Record<string, string> | null, reader: Reader): { name: string; times: string }[] {
  const rows = Object.entries(hours ?? {}).map(([day, times]) => ({ ...weekdayName(day, reader), times }));
  return rows.toSorted((one, other) => one.rank - other.rank).map(({ name, times }) => ({ name, times }));
}
