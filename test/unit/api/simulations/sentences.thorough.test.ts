import { beforeEach, expect, test } from 'vitest';
import { answerOf } from '#domain/tracking-page/answer.ts';
import { progressOf, situationOf } from '#domain/tracking-page/journey.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { type JourneyId, journeyIds } from '#schemas/catalogues/journeys.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { advanceSimulation, factsAt, holdsSimulations, startSimulation } from '#test/kit/simulations.ts';

beforeEach(() => holdsSimulations());

/** What the page says of each parcel after a step: where it is, the sentence, the step of the progress and the advice. */
async function saidOf({ parcels }: TrackingPage, language: Language, now: Date): Promise<string[]> {
  const texts = await loadPageTexts(language);
  return parcels.map((parcel) => {
    const { sentence, tone } = answerOf(parcel, { language, texts, now });
    const { steps, current } = progressOf(parcel);
    const step = texts.progress.steps[steps[current]!];
    return `${parcel.phase} ${tone} | ${sentence} | ${step} | ${situationOf(parcel, now)}`;
  });
}

/** Only what is new after each step, with the number of the step. */
async function play(journey: string): Promise<string[]> {
  const { uuid, tracking_page_url, steps } = await startSimulation({ journey, start_at: '2026-11-02T08:00:00Z' });
  const lines: string[] = [];
  let before: string[] = [];
  for (const [i] of steps.entries()) {
    const { clock } = await advanceSimulation(uuid, { steps: 1 });
    const said = await saidOf(await factsAt(tracking_page_url), 'en', new Date(clock));
    lines.push(...said.filter((line) => !before.includes(line)).map((line) => `${i + 1} ${line}`));
    before = said;
  }
  return lines;
}

const expected: Record<JourneyId, string> = {
  delivered: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    7 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    8 delivered arrived | Your parcel has arrived | Delivered | delivered
  `,
  neighbour: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    7 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    8 delivered arrived | A neighbour has taken in the parcel | Delivered | delivered_neighbour
  `,
  parcel_shop: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    7 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    8 delivery_failed attention | Your parcel is going to a collection point | On its way | going_to_shop
    9 collect attention | Your parcel is waiting to be collected | Ready to collect | collect_until
    11 delivered arrived | The parcel has been collected | Collected | delivered
  `,
  not_collected: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    7 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    8 delivery_failed attention | Your parcel is going to a collection point | On its way | going_to_shop
    9 collect attention | Your parcel is waiting to be collected | Ready to collect | collect_until
    11 returned failed | The parcel has been sent back | On its way back | sent_back
    12 return_transit failed | The parcel is on its way back | On its way back | sent_back
    13 return_received failed | The parcel is back with its sender | Back with the sender | sent_back
  `,
  second_attempt: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    7 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    8 delivery_failed attention | The courier has left a card | Not delivered | not_at_home
    9 delivery_failed attention | Arrives tomorrow | Not delivered | next_attempt
    10 in_delivery moving | Arrives today, 11:00–14:00 | Out for delivery | out_for_delivery
    11 delivered arrived | Your parcel has arrived | Delivered | delivered
  `,
  delayed: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    6 in_transit attention | Your parcel will take a little longer | On its way | delayed
    7 in_transit attention | Arrives on Saturday 7 November | On its way | delayed
    8 in_transit moving | Arrives tomorrow | On its way | on_the_way
    9 in_transit moving | Arrives today | On its way | on_the_way
    10 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    11 delivered arrived | Your parcel has arrived | Delivered | delivered
  `,
  lost: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    6 in_transit attention | Arrives on Sunday 8 November | On its way | delayed
    7 in_transit attention | Arrives today | On its way | delayed
    8 delivery_failed failed | We are sorry, your parcel has been lost | Not delivered | not_delivered
  `,
  damaged: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    6 in_transit failed | We are sorry, your parcel has been damaged | On its way | damaged_on_the_way
    7 in_transit moving | Arrives tomorrow | On its way | on_the_way
    9 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    10 delivered arrived | Your parcel has arrived | Delivered | delivered
  `,
  customs: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Saturday 7 November | Ready to send | preparing
    3 in_transit moving | Arrives on Saturday 7 November | On its way | on_the_way
    9 in_transit attention | Customs is waiting for a payment | On its way | at_customs
    10 in_transit moving | Arrives on Monday 9 November | On its way | on_the_way
    12 in_delivery moving | Arrives today, 11:00–14:00 | Out for delivery | out_for_delivery
    13 delivered arrived | Your parcel has arrived | Delivered | delivered_letterbox
  `,
  split: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    1 order_created moving | Your order is registered | Ordered | preparing
    1 order_created moving | Your order is registered | Ordered | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    5 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    6 in_transit moving | Arrives tomorrow | On its way | on_the_way
    6 order_processed moving | Arrives tomorrow | Ready to send | preparing
    12 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    13 order_processed moving | Arrives on Thursday 5 November | Ready to send | preparing
    15 in_transit moving | Arrives today | On its way | on_the_way
    15 in_transit moving | Arrives today | On its way | on_the_way
    17 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    18 delivered arrived | Your parcel has arrived | Delivered | delivered
    20 collect attention | Your parcel is waiting to be collected | Ready to collect | collect_until
    21 in_transit attention | Arrives on Saturday 7 November | On its way | delayed
    22 delivered arrived | The parcel has been collected | Collected | delivered
    23 in_transit moving | Arrives tomorrow | On its way | on_the_way
    24 in_delivery moving | Arrives today, 17:00–19:00 | Out for delivery | out_for_delivery
  `,
  cancelled: `
    1 order_created moving | Your order is registered | Ordered | preparing
    2 order_created attention | Your order will take a little longer | Ordered | preparing_late
    3 order_cancelled failed | The order has been cancelled | Cancelled | cancelled
  `,
  customer_return: `
    1 order_processed moving | Your parcel is ready for its journey | Ready to send | preparing
    2 order_processed moving | Arrives on Wednesday 4 November | Ready to send | preparing
    3 in_transit moving | Arrives on Wednesday 4 November | On its way | on_the_way
    4 in_transit moving | Arrives tomorrow | On its way | on_the_way
    7 in_delivery moving | Arrives today, 11:00–13:00 | Out for delivery | out_for_delivery
    8 delivered arrived | Your parcel has arrived | Delivered | delivered
    9 return_created moving | Your return is registered | Return registered | return_registered
    10 in_transit moving | Your return is on its way to the shop | On its way to the shop | return_on_the_way
    13 delivered arrived | The shop has received your return | Received by the shop | return_received
  `,
};

test.each(journeyIds)('the page tells the truth at each step of the journey %s', async (id) => {
  expect(await play(id)).toEqual(expected[id].trim().split(/\n\s*/));
});
