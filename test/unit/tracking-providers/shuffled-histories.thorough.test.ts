import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histories, newParcel, parcel, post, queue, record, sentEvents } from '#test/kit/provider-histories.ts';

test.each(histories)(
  'the history of $name, $title, is the same in every order, in pieces, alone and repeated',
  async (one) => {
    const { history } = one;
    newParcel();
    await post(one, history.checkpoints);
    await record();
    const whole = parcel();
    const all = history.checkpoints.map((_, i) => i);
    const pieces = fc.array(fc.subarray(all, { minLength: 1 }), { maxLength: 4 });
    const order = fc.shuffledSubarray(all, { minLength: all.length });
    await fc.assert(
      fc.asyncProperty(
        order,
        pieces,
        fc.boolean(),
        fc.integer({ min: 1, max: 25 }),
        async (order, pieces, isAlone, atOnce) => {
          newParcel();
          for (const piece of pieces)
            await post(
              one,
              piece.toReversed().map((i) => history.checkpoints[i]),
            );
          const parts = isAlone ? order.map((i) => [i]) : [order];
          for (const part of parts)
            await post(
              one,
              part.map((i) => history.checkpoints[i]),
            );
          queue.push(...queue.slice(0, 2));
          await record(atOnce);
          expect(parcel()).toEqual(whole);
          expect(sentEvents()).toBe(history.events.length);
        },
      ),
      { numRuns: 12 },
    );
  },
);
