import { deliveryId } from '#domain/deliveries/delivery-items.ts';
import { catchAllGroup } from '#domain/deliveries/notifications.ts';

/**
 * What the payload item of an event keeps about its place in the feed, in the attribute `feed`. The item is written once, so
 * an event has one place, one hour and one set of receivers, however often its record is replayed.
 */
export interface FeedMark extends Place {
  /** When the event took its place, by the clock of the function that wrote it. In milliseconds, as the next one. */
  at: number;
  /** The time with which the ids of its deliveries begin. */
  occurred: number;
  subjects: readonly FeedSubject[];
  /** How many payloads each subject has: one for each group that the event fires. */
  groups: number;
  /** The endpoints that get the event, whatever the shop changed since. */
  endpoints: readonly string[];
}

/** Places are ordered by block, and then by index. */
export interface Place {
  /** Each time that a shop switches its feed on, another one begins. */
  generation: number;
  block: number;
  index: number;
}

export interface FeedSubject {
  /** The id of the shipment, of the claim or of the withdrawal. */
  id: string;
  version?: number | undefined;
  /** How often the endpoints are told of it: a second time in the group of all deliveries, if they asked for that. */
  told: 0 | 1 | 2;
}

/** It is paid for with each event, so it has no names. */
type Written = [
  ...places: [number, number, number],
  ...times: [number, number],
  groups: number,
  subjects: [string, number | null, 0 | 1 | 2][],
  endpoints: readonly string[],
];

export function writeMark(mark: FeedMark): string {
  const { generation, block, index, at, occurred, groups, subjects, endpoints } = mark;
  const written: Written = [
    ...([generation, block, index, at, occurred, groups] as const),
    subjects.map(({ id, version, told }) => [id, version ?? null, told]),
    endpoints,
  ];
  return JSON.stringify(written);
}

export function readMark(text: string): FeedMark {
  const [generation, block, index, at, occurred, groups, subjects, endpoints] = JSON.parse(text) as Written;
  return {
    ...{ generation, block, index, at, occurred, groups, endpoints },
    subjects: subjects.map(([id, version, told]) => ({ id, version: version ?? undefined, told })),
  };
}

/** The mark of a payload item. Undefined if its event is in no feed. */
export const markIn = (item: object | undefined): FeedMark | undefined =>
  item && 'feed' in item ? readMark(item.feed as string) : undefined;

export const isAt = (mark: Place, { generation, block, index }: Place): boolean =>
  mark.generation === generation && mark.block === block && mark.index === index;

/** The hour of a time, as deliveries and the ledger name it. Hours sort as text. */
export const hourOf = (time: number | Date): string =>
  `${new Date(time).toISOString().slice(0, 'yyyy-mm-ddThh'.length)}:00:00Z`;

/** What stands for the shop itself where an endpoint could stand. */
export const wholeShop = 'shop';

/** One thing that the feed shows. */
export interface Telling {
  /** For an endpoint, the id of the delivery that it gets. */
  id: string;
  subject: FeedSubject;
  /** Which of the event's payloads it is. */
  part: number;
}

/**
 * What an event tells: the whole shop once for each subject, and an endpoint what it is sent.
 * @param receiver the uuid of an endpoint, or `wholeShop`
 */
export function tellingsOf(eventId: string, mark: FeedMark, receiver: string): Telling[] {
  if (receiver !== wholeShop && !mark.endpoints.includes(receiver)) return [];
  const origin = { event_id: eventId, triggered_at: new Date(mark.occurred).toISOString(), target: receiver };
  return mark.subjects.flatMap((subject, position) => {
    const times = receiver === wholeShop ? 1 : subject.told;
    return Array.from({ length: times }, (_, time) => ({
      id: deliveryId({ ...origin, subject_id: subject.id, ...(time > 0 && { extra_group: catchAllGroup }) }),
      subject,
      part: position * mark.groups + time,
    }));
  });
}
