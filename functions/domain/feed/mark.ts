import { deliveryId } from '#domain/deliveries/delivery-items.ts';
import { catchAllGroup } from '#domain/deliveries/notifications.ts';
import { bytesOfUuid, uuidLength, uuidOfBytes } from '#platform/uuid-bytes.ts';

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

/**
 * Every byte is paid for with each event: many payloads have little less than a kilobyte, and one byte more is another write
 * unit. As JSON, with its UUIDs as text, it would have 129 bytes for one endpoint, and not 50.
 */
export function writeMark(mark: FeedMark): Uint8Array {
  const { generation, block, index, at, occurred, groups, subjects, endpoints } = mark;
  return Buffer.concat([
    ...[generation, block, index, at].map(number),
    // Which of the two is later depends on the clocks.
    number(at >= occurred ? 2 * (at - occurred) : 2 * (occurred - at) + 1),
    ...[groups, subjects.length].map(number),
    ...subjects.flatMap(({ id, version, told }) => [
      idBytes(id),
      number(version === undefined ? told : 3 * (version + 1) + told),
    ]),
    number(endpoints.length),
    ...endpoints.map(idBytes),
  ]);
}

export function readMark(bytes: Uint8Array): FeedMark {
  const next = new Reading(bytes);
  const [generation, block, index, at, between, groups] = Array.from({ length: 6 }, () => next.number());
  const occurred = between! % 2 === 0 ? at! - between! / 2 : at! + (between! - 1) / 2;
  const subjects = Array.from({ length: next.number() }, (): FeedSubject => {
    const id = next.id();
    const state = next.number();
    const version = state < 3 ? undefined : Math.floor(state / 3) - 1;
    return { id, version, told: (state % 3) as FeedSubject['told'] };
  });
  const endpoints = Array.from({ length: next.number() }, () => next.id());
  return {
    generation: generation!,
    block: block!,
    index: index!,
    at: at!,
    occurred,
    groups: groups!,
    subjects,
    endpoints,
  };
}

/** Seven bits in each byte. The highest says that another one follows. */
function number(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return Uint8Array.of(...bytes, rest);
}

/** Zero and a UUID, or the length of another id and the id. */
function idBytes(id: string): Uint8Array {
  const uuid = bytesOfUuid(id);
  const other = Buffer.from(id);
  return uuid ? Buffer.concat([number(0), uuid]) : Buffer.concat([number(other.length), other]);
}

class Reading {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes.readUInt8(this.#position++);
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }

  id(): string {
    const length = this.number();
    const bytes = this.#bytes.subarray(this.#position, this.#position + (length || uuidLength));
    this.#position += bytes.length;
    return length > 0 ? bytes.toString() : uuidOfBytes(bytes);
  }
}

/**
 * The mark of a payload item. Undefined if its event is in no feed. Lambda passes binary values of the stream as base64 text.
 */
export function markIn(item: object | undefined): FeedMark | undefined {
  const { feed } = (item ?? {}) as { feed?: Uint8Array | string };
  return feed === undefined ? undefined : readMark(typeof feed === 'string' ? Buffer.from(feed, 'base64') : feed);
}

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
