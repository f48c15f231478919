/**
 * The sort keys of lists as bytes, which take a third of the room. They sort as their texts do.
 */
export interface KeyForm {
  bytes: number;
  /** Throws if the text is not such a key. */
  toBytes: (text: string) => Buffer;
  /** Of a key, or of the beginning of one: then the first text that begins so. */
  toText: (key: Buffer) => string;
  /** The time of a key, in milliseconds. */
  timeOf: (key: Buffer) => number;
  /** No key of this time or later sorts before it, and no earlier key after it. */
  startOf: (ms: number) => Buffer;
  /** Whether it is a shipment without a tracking number. */
  isDraft: (key: Buffer) => boolean;
}

const uuidBytes = 16;
/** Six bytes do not hold the years 0000 to 9999 in milliseconds. */
const timeBytes = 7;
const firstMoment = Date.parse('0000-01-01T00:00:00.000Z');
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A uuid that begins with its time. */
export const idKeys: KeyForm = {
  bytes: uuidBytes,
  toBytes: bytesOfUuid,
  toText: (key) => uuidOf(padded(key, uuidBytes)),
  timeOf: (key) => key.readUIntBE(0, 6),
  startOf: (ms) => {
    const bytes = Buffer.alloc(6);
    bytes.writeUIntBE(ms, 0, 6);
    return bytes;
  },
  isDraft: () => false,
};

/** A time, `#` and a uuid. */
export const timeKeys: KeyForm = {
  bytes: timeBytes + uuidBytes,
  toBytes: (text) => {
    const [time, uuid] = text.split('#') as [string, string];
    return Buffer.concat([bytesOfTime(time), bytesOfUuid(uuid)]);
  },
  toText: (key) => {
    const whole = padded(key, timeBytes + uuidBytes);
    return `${timeOf(whole)}#${uuidOf(whole.subarray(timeBytes))}`;
  },
  timeOf: (key) => Date.parse(timeOf(key)),
  startOf: (ms) => bytesOfTime(new Date(Math.max(ms, firstMoment)).toISOString()),
  isDraft: () => false,
};

/**
 * What stands at a place in the lists of shipments. A draft that gets its own item is for a moment in the list twice or
 * not at all, because the two records of the stream may come in any order; so they must not have the same key.
 */
const shipmentStates = { draftOfOrder: 0, withoutNumber: 1, withNumber: 2 } as const;
export type ShipmentState = keyof typeof shipmentStates;

/** A time, `#`, a uuid and, in the bytes only, the state of the shipment. */
export const shipmentKeys: KeyForm = {
  ...timeKeys,
  bytes: timeKeys.bytes + 1,
  toBytes: (text) => Buffer.concat([timeKeys.toBytes(text), Buffer.of(shipmentStates.withNumber)]),
  isDraft: (key) => stateIn(key) !== shipmentStates.withNumber,
};

export const shipmentKey = (place: string, state: ShipmentState): Buffer =>
  Buffer.concat([timeKeys.toBytes(place), Buffer.of(shipmentStates[state])]);

export const isDraftOfOrder = (key: Buffer): boolean => stateIn(key) === shipmentStates.draftOfOrder;

const stateIn = (key: Buffer) => key[timeKeys.bytes];

/** No key of this time or later sorts before it, and no earlier key after it. */
export const startOfTime = (time: string): Buffer => bytesOfTime(time);
/** No key of this time or earlier sorts after it, and no later key before it. */
export const endOfTime = (time: string): Buffer =>
  Buffer.concat([bytesOfTime(time), Buffer.alloc(uuidBytes + 1, 0xff)]);
/** Sorts after this key and before the next. */
export const justAfter = (key: Buffer): Buffer => Buffer.concat([key, Buffer.alloc(1)]);

/** The last text that sorts before this key, among the texts of keys. */
export function textBefore(form: KeyForm, key: Buffer): string {
  const text = form.toText(key);
  const last = text.length - 1;
  return `${text.slice(0, last)}${String.fromCharCode(text.charCodeAt(last) - 1)}~`;
}

const padded = (key: Buffer, length: number) => Buffer.concat([key, Buffer.alloc(Math.max(0, length - key.length))]);

function bytesOfUuid(uuid: string | undefined): Buffer {
  if (uuid === undefined || !uuidForm.test(uuid)) throw new Error('not a key of a list');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function bytesOfTime(time: string): Buffer {
  const moment = Date.parse(time) - firstMoment;
  if (!(moment >= 0)) throw new Error('not a key of a list');
  const bytes = Buffer.alloc(timeBytes);
  bytes.writeUInt8(Math.floor(moment / 2 ** 48), 0);
  bytes.writeUIntBE(moment % 2 ** 48, 1, 6);
  return bytes;
}

const timeOf = (key: Buffer) => new Date(key.readUInt8(0) * 2 ** 48 + key.readUIntBE(1, 6) + firstMoment).toISOString();

const uuidOf = (bytes: Buffer) =>
  bytes.toString('hex', 0, uuidBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
