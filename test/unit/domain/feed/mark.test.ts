import { expect, test } from 'vitest';
import { deliveryId } from '#domain/deliveries/delivery-items.ts';
import { type FeedMark, hourOf, isAt, markIn, readMark, tellingsOf, wholeShop, writeMark } from '#domain/feed/mark.ts';

const mark: FeedMark = {
  ...{ generation: 3, block: 7, index: 2 },
  ...{ at: Date.parse('2026-11-18T03:59:59.999Z'), occurred: Date.parse('2026-11-18T02:00:00.000Z') },
  groups: 2,
  subjects: [
    { id: 's1', version: 4, told: 2 },
    { id: 's2', version: undefined, told: 0 },
    { id: 's3', version: 0, told: 1 },
  ],
  endpoints: ['e1', 'e2'],
};

const origin = (target: string, subject_id: string) => ({
  ...{ event_id: 'event', target, subject_id },
  triggered_at: '2026-11-18T02:00:00.000Z',
});

test('A mark is read as it was written, also with a hundred subjects and fifty endpoints', () => {
  const subjects = Array.from({ length: 100 }, (_, i) => ({ id: `s${i}`, version: i, told: 1 as const }));
  const long = { ...mark, subjects, endpoints: Array.from({ length: 50 }, (_, i) => `e${i}`) };
  for (const one of [mark, long, { ...mark, subjects: [], endpoints: [] }])
    expect(readMark(writeMark(one))).toEqual(one);
});

test('A mark with one subject and one endpoint has 50 bytes', () => {
  const id = '01a1ec71-5e75-8579-be68-b5e555b4b65c';
  const usual = {
    ...mark,
    block: 5000,
    occurred: mark.at - 300,
    subjects: [{ id, version: 4, told: 1 as const }],
    endpoints: [id],
  };
  expect(writeMark(usual)).toHaveLength(50);
  expect(readMark(writeMark(usual))).toEqual(usual);
});

test('A clock that is behind the time of the event changes nothing of it', () => {
  const early = { ...mark, occurred: mark.at + 1001 };
  expect(readMark(writeMark(early))).toEqual(early);
});

test('A mark that is stored is read by later releases, also as the stream passes it', () => {
  const stored = 'AwcC//u+5p40/vPuBgIDAnMxEQJzMgACczMEAgJlMQJlMg==';
  expect(Buffer.from(writeMark(mark)).toString('base64')).toBe(stored);
  expect(markIn({ feed: stored })).toEqual(mark);
});

test('Only an item that names a place has a mark', () => {
  expect(markIn(undefined)).toBeUndefined();
  expect(markIn({ feed_closed: ['3.7.2'] })).toBeUndefined();
  expect(markIn({ feed: writeMark(mark) })).toEqual(mark);
});

test('A mark is at one place only', () => {
  expect(isAt(mark, { generation: 3, block: 7, index: 2 })).toBe(true);
  for (const other of [{ generation: 4 }, { block: 8 }, { index: 3 }])
    expect(isAt(mark, { ...mark, ...other })).toBe(false);
});

test('An hour begins with its first millisecond', () => {
  expect(hourOf(mark.at)).toBe('2026-11-18T03:00:00Z');
  expect(hourOf(mark.at + 1)).toBe('2026-11-18T04:00:00Z');
});

test('The whole shop is told of each subject once, an endpoint what it is sent, and another one nothing', () => {
  const about = (receiver: string) =>
    tellingsOf('event', mark, receiver).map(({ id, subject, part }) => [id, subject.id, part]);
  expect(about(wholeShop)).toEqual([
    [deliveryId(origin('shop', 's1')), 's1', 0],
    [deliveryId(origin('shop', 's2')), 's2', 2],
    [deliveryId(origin('shop', 's3')), 's3', 4],
  ]);
  expect(about('e2')).toEqual([
    [deliveryId(origin('e2', 's1')), 's1', 0],
    [deliveryId({ ...origin('e2', 's1'), extra_group: 'shipment_delivered_all_events' }), 's1', 1],
    [deliveryId(origin('e2', 's3')), 's3', 4],
  ]);
  expect(about('e3')).toEqual([]);
});
