import { isErased } from '#domain/orders/erased-order.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { canBeRated, rate } from '#domain/pages/rating.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { ratingLimits } from '#schemas/catalogues/limits.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import type { pages } from '#schemas/families/pages.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { shipmentOf } from './claim-form-rules.ts';
import { cleanText, isLongerThan, textOf } from './form-fields.ts';
import { freshKey, isFromPage } from './form-key.ts';
import { type OpenForm, openForm } from './page-form.ts';
import { pagePath, redirectTo } from './redirect.ts';
import { parcelValue } from './views/parcel-view.ts';
import { ratingView } from './views/rating-page-view.ts';
import { isRatable, type RatingFaults } from './views/rating-view.ts';

/** Keeps the rating of a parcel and leads to the page, or shows the form again and says what is wrong. */
export const sendRating: Implementation<(typeof pages)['sendRating']> = async (request) => {
  const place = await openForm(request);
  const { facts, context } = place;
  if (!facts.links.rating_url || isErased(place.fullOrder.order)) throw new ServiceError('page_not_found');
  const form = readRatingForm(request.body, facts.parcels);
  const expired = !isFromPage(request, textOf(request.body, 'form_key'), place);
  const found: RatingFaults = { ...(expired && { form: 'form_expired' }), ...form.faults };
  const faults = Object.keys(found).length > 0 ? found : await store(place, form);
  if (Object.keys(faults).length > 0) {
    const shown = { formKey: freshKey(place, context.now), values: form.values, faults };
    return ratingView(facts, shown, context);
  }
  return redirectTo(pagePath(`../${place.page.token}`, request.query, { sent: 'rating' }));
};

type Parcels = TrackingPage['parcels'];

/** What a customer sent. If there are no faults, it makes a rating. */
interface RatingForm {
  values: { stars: string; text: string; parcel: string };
  faults: RatingFaults;
  /** The position on the page of the parcel. */
  parcel: number;
}

export function readRatingForm(fields: FormFields, parcels: Parcels): RatingForm {
  const values = { stars: textOf(fields, 'stars'), text: textOf(fields, 'text'), parcel: textOf(fields, 'parcel') };
  const parcel = values.parcel
    ? parcels.findIndex((one, i) => parcelValue(one, i) === values.parcel)
    : parcels.findIndex((one) => isRatable(one));
  const isKnown = parcel !== -1 && (isRatable(parcels[parcel]!) || parcels[parcel]!.rating !== null);
  const areStars = /^[1-9]$/.test(values.stars) && Number(values.stars) <= ratingLimits.stars;
  return {
    values,
    parcel,
    faults: {
      ...(!areStars && { stars: 'stars_missing' }),
      ...(isLongerThan(values.text, ratingLimits.textCharacters) && { text: 'text_too_long' }),
      ...(!isKnown && { form: 'parcel_unknown' }),
    },
  };
}

/** The first rating of a parcel stays, so whoever sends another one is thanked, too. */
async function store({ page, facts, fullOrder, clock }: OpenForm, form: RatingForm): Promise<RatingFaults> {
  const shipment = shipmentOf(form.parcel, facts.parcels, allShipments(fullOrder));
  if (!shipment || !canBeRated(shipment)) return { form: 'parcel_unknown' };
  const { stars, text } = form.values;
  const rating = {
    shipment_id: shipment.uuid,
    at: clock().toISOString(),
    stars: Number(stars),
    text: cleanText(text) || null,
  };
  try {
    await rate(page.slug, page.token, rating, fullOrder, shipment);
    return {};
  } catch (error) {
    if (error instanceof WriteConflict) return { form: 'save_failed' };
    throw error;
  }
}
