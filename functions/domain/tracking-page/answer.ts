import type { PageParcel } from '#schemas/shapes/tracking-page.ts';
import { arrivalAnswer, isPredicted, numberText, put, type Reader } from './dates.ts';
import { isExpected, meaningOf, situationOf, type Tone } from './journey.ts';

export interface ParcelAnswer {
  tone: Tone;
  /** The one sentence that answers where the parcel is and when it comes. */
  sentence: string;
  isArrival: boolean;
  isOverdue: boolean;
  /** How sure the sentence is. Null if it is not our own estimate. */
  note: string | null;
}

export function answerOf(parcel: PageParcel, context: Reader): ParcelAnswer {
  const { tone } = meaningOf(situationOf(parcel, context.now), parcel);
  const { sentence, isOverdue } = isExpected(parcel) ? arrivalAnswer(parcel, context) : { isOverdue: false };
  return {
    tone,
    sentence: sentence ?? parcel.event_strings.header_title,
    isArrival: sentence !== undefined,
    isOverdue,
    note: sentence !== undefined && isPredicted(parcel) ? context.texts.arrival.prediction.note : null,
  };
}

/** What the shop sends and what the customer sends back is counted apart. */
export function parcelName(index: number, parcels: readonly PageParcel[], context: Reader): string {
  const { page } = context.texts;
  const { is_return, number: own } = parcels[index]!;
  const alike = parcels.filter((parcel) => parcel.is_return === is_return).length;
  const [number, total] = [numberText(own, context), numberText(alike, context)];
  if (alike === 1) return is_return ? page.return_parcel : page.only_parcel;
  return is_return ? `${page.return_parcel} ${number}` : put(page.parcel, { number, total });
}
