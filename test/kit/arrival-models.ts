import { dateOfDay, dayOfDate, deliveriesOn, deliveryDayAfter } from '#domain/arrival/delivery-days.ts';
import { type LaneDay, laneDay } from '#domain/arrival/lane-days.ts';
import { type ArrivalModel, arrivalModel } from '#domain/arrival/model.ts';
import { keyOf, type Lane } from '#platform/table/keys.ts';

interface WaysOfParcels {
  /** A parcel of each of the last weeks' working days took each of these delivery days (Monday to Saturday): `[2]` is always two, `[1, 2, 2, 2]` mostly. */
  days: readonly number[];
  /** So many parcels of each of them. */
  parcels?: number;
  lane?: Lane;
  /** Of the counters of every day besides. */
  more?: Partial<LaneDay>;
}

const mondayToSaturday = [1, 2, 3, 4, 5, 6];
const learnedDays = 60;

/** What the counters would say of a lane whose parcels take these days. The last ones have not arrived yet. */
export function laneDaysOf(
  { days, parcels = 10, lane = { carrier: 'dhl', country: 'DE' }, more }: WaysOfParcels,
  today: string,
): LaneDay[] {
  const now = dayOfDate(today);
  const delivers = deliveriesOn(mondayToSaturday, lane.country);
  return Array.from({ length: learnedDays }, (_, i) => now - learnedDays + i)
    .filter(delivers)
    .map((day) => ({
      ...laneDay(dateOfDay(day), days.length * parcels),
      delivered: days
        .map((way) => ({ area: '1', days: deliveryDayAfter(day, way, delivers) - day, count: parcels }))
        .filter((way) => day + way.days < now),
      ...more,
    }));
}

/** A model by which parcels take these delivery days. @param today when it was made, such as `2026-11-17` */
export const modelOfLane = (ways: WaysOfParcels, today: string): ArrivalModel =>
  arrivalModel(
    ways.lane ?? { carrier: 'dhl', country: 'DE' },
    laneDaysOf(ways, today),
    { lane: [], carrier: [] },
    today,
  );

/** The item by which a shop knows the lane, as if it had counted such parcels today. */
export function learnedItem(slug: string, ways: WaysOfParcels, now: Date): object {
  const model = modelOfLane(ways, now.toISOString().slice(0, 10));
  return {
    ...keyOf.arrivalModel(slug, ways.lane ?? { carrier: 'dhl', country: 'DE' }),
    form: model.form,
    parcels: model.parcels,
    model: JSON.stringify(model),
    made_at: now.toISOString(),
    expires_at: Math.floor(now.getTime() / 1000) + 24 * 3600,
  };
}
