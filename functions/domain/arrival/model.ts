import type { Lane } from '#platform/table/keys.ts';
import type { LaneDay } from './lane-days.ts';
import type { Journey, Predicted } from './prediction.ts';

/** What is known about the deliveries of a lane: stored as JSON, made from the counters alone. */
export interface ArrivalModel {
  /** Of this form. What has another one is not read. */
  form: 1;
}

/** What a shop tells the other shops of the deployment about a lane. */
export interface LaneSummary {
  form: 1;
  /** Delivered parcels that it speaks for. */
  parcels: number;
}

export function arrivalModel(
  _lane: Lane,
  _days: readonly LaneDay[],
  _others: { lane: readonly LaneSummary[]; carrier: readonly LaneSummary[] },
  _today: string,
): ArrivalModel {
  return { form: 1 };
}

export function laneSummary(_lane: Lane, _days: readonly LaneDay[], _today: string): LaneSummary {
  return { form: 1, parcels: 0 };
}

/** Undefined if too little is known. @param today of the recipient */
export function predict(_model: ArrivalModel, _lane: Lane, _journey: Journey, _today: string): Predicted | undefined {
  return undefined;
}
