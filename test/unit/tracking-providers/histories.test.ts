import { describe, expect, test } from 'vitest';
import { orderWrites } from '#test/kit/order-writes.ts';
import {
  histories,
  newParcel,
  parcel,
  post,
  queue,
  record,
  sentEvents,
  timeline,
} from '#test/kit/provider-histories.ts';

describe.each(histories)('the history of $name, $title,', (one) => {
  const { history } = one;

  test('becomes the events of the parcel, each once, in one write', async () => {
    newParcel();
    expect(await post(one, history.checkpoints)).toBe(200);
    expect(queue).toHaveLength(1);
    await record();
    expect(timeline()).toEqual(history.events);
    expect(sentEvents()).toBe(history.events.length);
    expect(orderWrites()).toHaveLength(1);
  });

  test('is the same if each checkpoint comes alone, the newest first, and then all of them again', async () => {
    newParcel();
    await post(one, history.checkpoints);
    await record();
    const whole = parcel();
    newParcel();
    for (const checkpoint of history.checkpoints.toReversed()) await post(one, [checkpoint]);
    await post(one, history.checkpoints);
    await record(3);
    expect(parcel()).toEqual(whole);
    expect(sentEvents()).toBe(history.events.length);
  });

  test('that is signed wrong changes nothing', async () => {
    newParcel();
    expect(await post(one, history.checkpoints, 'another-secret')).toBe(401);
    expect(queue).toEqual([]);
  });
});
