import { v7 as uuidv7 } from 'uuid';
import { byCustomer, type Claim, newClaim } from '#domain/claims/claim-rules.ts';
import { checkRoom, insertClaim } from '#domain/claims/claim-writes.ts';
import { isErased } from '#domain/orders/erased-order.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { allShipments, shipmentById } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import {
  countAttempt,
  hashOf,
  type Judged,
  judge,
  putSentForms,
  readSentForms,
  type Form as SentForm,
  withoutAttempt,
} from '#domain/pages/sent-forms.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation, RawResponse } from '#platform/http/request.ts';
import { retryOnConflict, WriteConflict } from '#platform/table/writes.ts';
import type { pages } from '#schemas/families/pages.ts';
import { type ClaimForm, claimOf, itemsOf, readClaimForm, shipmentOf } from './claim-form-rules.ts';
import { textOf } from './form-fields.ts';
import { freshKey, isFromPage } from './form-key.ts';
import { cleanPhotos, type OpenForm, type Opening, openForm, storePhotos, withWait } from './page-form.ts';
import { pagePath, redirectTo } from './redirect.ts';
import { type ClaimFormState, claimView } from './views/claim-view.ts';

type Operations = typeof pages;
type Faults = ClaimFormState['faults'];

export const getClaimForm: Implementation<Operations['getClaimForm']> = async (request) => {
  const place = await openClaimForm(request);
  return show(place, { values: { selected_items: [] }, faults: {} });
};

/** Makes a claim of the form and leads to the page, or shows the form again and says what is wrong. */
export const sendClaimForm: Implementation<Operations['sendClaimForm']> = async (request) => {
  const place = await openClaimForm(request);
  const form = readClaimForm(request.body, place.facts.parcels);
  const key = textOf(request.body, 'form_key');
  const faults: Faults = isFromPage(request, key, place) ? form.faults : { form: 'form_expired', ...form.faults };
  const outcome = Object.keys(faults).length > 0 ? { faults } : await send(place, form, key);
  if (!('faults' in outcome)) return redirectTo(pagePath(`../${place.page.token}`, request.query, { sent: '1' }));
  return show(place, { ...form, ...outcome });
};

/** Only a page that leads to the form has one. */
async function openClaimForm(request: Opening): Promise<OpenForm> {
  const place = await openForm(request);
  if (!place.facts.links.claim_url) throw new ServiceError('page_not_found');
  return place;
}

function show(place: OpenForm, { values, faults, waitMs }: Shown): RawResponse {
  const { facts, context } = place;
  const form = { formKey: freshKey(place, context.now), values, items: itemsOf(facts.parcels), faults };
  return withWait(claimView(facts, form, context), waitMs);
}

interface Shown extends Pick<ClaimFormState, 'values' | 'faults'> {
  /** Until the page takes a claim again. */
  waitMs?: number;
}

type Outcome = { isSent: true } | Pick<Shown, 'faults' | 'waitMs'>;

/** The photos are stored first: without a claim that names it, nobody can open a photo. */
async function send(place: OpenForm, form: ClaimForm, formKey: string): Promise<Outcome> {
  const sending = { key: hashOf(formKey), content: hashOf(JSON.stringify(form.values), ...form.photos) };
  const uuid = uuidv7({ msecs: place.context.now.getTime() });
  try {
    const photos = await cleanPhotos(form.photos);
    if (photos.length > 0) {
      const judged = await countAttempt(place.page.token, sending, uuid, place.context.now);
      if (!('forms' in judged)) return outcomeOf(judged);
      await checkRoom(place.page.slug, claimAbout(shownShipment(place, form), uuid, place, form, []));
    }
    const imageUrls = await storePhotos(place, uuid, photos);
    return outcomeOf(await makeClaim(place, form, sending, uuid, imageUrls));
  } catch (error) {
    return { faults: faultsOf(error) };
  }
}

function outcomeOf(judged: Judged): Outcome {
  if ('waitMs' in judged) return { faults: { form: 'too_many_claims' }, waitMs: judged.waitMs };
  return judged.sent === 'other' ? { faults: { form: 'already_sent' } } : { isSent: true };
}

/** What a customer can do about an error. Any other error is not the customer's. */
function faultsOf(error: unknown): Faults {
  if (error instanceof WriteConflict) return { form: 'try_again' };
  if (!(error instanceof ServiceError)) throw error;
  if (error.key === 'image_media_unsupported') return { images: 'images_not_readable' };
  if (error.key === 'shipment_not_found') return { tracking_number: 'parcel_unknown' };
  if (error.key === 'payload_too_large') return { form: 'claims_full' };
  throw error;
}

/** One transaction for the claim and the memory of the form, so that each form makes one claim. */
function makeClaim(
  place: OpenForm,
  form: ClaimForm,
  sending: SentForm,
  uuid: string,
  imageUrls: string[],
): Promise<Judged> {
  const { page, storefront, context } = place;
  const { token, slug, orderId } = page;
  const { now } = context;
  const shop = { slug, uuid: storefront.shop.uuid };
  const shown = shownShipment(place, form);
  return retryOnConflict(async () => {
    const [fullOrder, sent] = await Promise.all([loadOrder(slug, orderId), readSentForms(token)]);
    const judged = judge(withoutAttempt(sent.forms, uuid), sending, now);
    if (!('forms' in judged)) return judged;
    if (!fullOrder || isErased(fullOrder.order)) throw new ServiceError('page_not_found');
    const shipment = shipmentById(fullOrder, shown.uuid);
    if (!shipment) throw new ServiceError('shipment_not_found');
    const claim = claimAbout(shipment, uuid, place, form, imageUrls);
    await insertClaim(shop, claim, fullOrder, { by: byCustomer }, [putSentForms(token, sent, judged.forms, now)]);
    return judged;
  });
}

function shownShipment({ facts, fullOrder }: OpenForm, { parcel }: ClaimForm): Shipment {
  const shipment = shipmentOf(parcel, facts.parcels, allShipments(fullOrder));
  if (!shipment) throw new ServiceError('shipment_not_found');
  return shipment;
}

const claimAbout = (shipment: Shipment, uuid: string, place: OpenForm, form: ClaimForm, imageUrls: string[]): Claim =>
  newClaim(uuid, claimOf(form, place.facts.parcels, imageUrls), shipment, place.clock().toISOString());
