import { v7 as uuidv7 } from 'uuid';
import { byCustomer } from '#domain/claims/claim-rules.ts';
import { ExtraWriteFailed } from '#domain/claims/claim-writes.ts';
import { writeMessage } from '#domain/claims/write-message.ts';
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
import { claimLimits } from '#schemas/catalogues/limits.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import type { pages } from '#schemas/families/pages.ts';
import { conversationsOf } from './conversations.ts';
import { cleanText, filesOf, isLongerThan, photoFault, textOf } from './form-fields.ts';
import { freshKey, isFromPage } from './form-key.ts';
import { cleanPhotos, type OpenForm, openForm, storePhotos, withWait } from './page-form.ts';
import { pagePath, redirectTo } from './redirect.ts';
import { type MessageFaults, messageView } from './views/message-view.ts';

/** Adds a message to a claim and leads to the page, or shows the form again and says what is wrong. */
export const sendMessageForm: Implementation<(typeof pages)['sendMessageForm']> = async (request) => {
  const place = await openForm(request);
  const claimUuid = request.params.claim_uuid.toLowerCase();
  const claim = place.facts.claims.find(({ uuid }) => uuid === claimUuid);
  if (!claim) throw new ServiceError('page_not_found');
  const form = readMessageForm(request.body);
  const key = textOf(request.body, 'form_key');
  const faults: MessageFaults = {
    ...(!isFromPage(request, key, place) && { form: 'form_expired' }),
    ...(claim.status === 'closed' && { form: 'claim_closed' }),
    ...form.faults,
  };
  const outcome = Object.keys(faults).length > 0 ? { faults } : await send(place, claimUuid, form, key);
  if ('faults' in outcome) return showAgain(place, claimUuid, form, outcome);
  return redirectTo(pagePath(`../../../${place.page.token}`, request.query, { sent: 'message' }));
};

/** What a customer sent. If there are no faults, it makes a message. */
interface MessageForm {
  text: string;
  photos: Uint8Array[];
  faults: MessageFaults;
}

export function readMessageForm(fields: FormFields): MessageForm {
  const text = textOf(fields, 'text');
  const images = photoFault(fields);
  const fault = textFault(text);
  return {
    text,
    photos: filesOf(fields, 'images'),
    faults: { ...(fault && { text: fault }), ...(images && { images }) },
  };
}

function textFault(text: string) {
  if (cleanText(text) === '') return 'message_missing';
  return isLongerThan(text, claimLimits.messageCharacters) ? 'text_too_long' : undefined;
}

type Outcome = { isSent: true } | { faults: MessageFaults; waitMs?: number };

async function showAgain(
  place: OpenForm,
  claimUuid: string,
  { text }: MessageForm,
  { faults, waitMs }: { faults: MessageFaults; waitMs?: number },
): Promise<RawResponse> {
  const { context, page } = place;
  const only = { ...page, claims: page.claims.filter(({ uuid }) => uuid === claimUuid) };
  const facts = place.factsWith(await conversationsOf({ ...place, page: only }, context.now));
  const claim = facts.claims.find(({ uuid }) => uuid === claimUuid)!;
  const form = { formKey: freshKey(place, context.now), text, faults };
  return withWait(messageView(facts, claim, form, context), waitMs);
}

/** The photos are stored first: without a message that names it, nobody can open a photo. */
async function send(place: OpenForm, claimUuid: string, form: MessageForm, formKey: string): Promise<Outcome> {
  const { page, context } = place;
  const sending = { key: hashOf(formKey), content: hashOf(claimUuid, form.text, ...form.photos) };
  const attempt = uuidv7({ msecs: context.now.getTime() });
  try {
    const photos = await cleanPhotos(form.photos);
    if (photos.length > 0) {
      const judged = await countAttempt(page.token, sending, attempt, context.now, 'message');
      if (!('forms' in judged)) return outcomeOf(judged);
    }
    const imageUrls = await storePhotos(place, attempt, photos);
    return outcomeOf(await makeMessage(place, claimUuid, cleanText(form.text), imageUrls, sending, attempt));
  } catch (error) {
    return { faults: faultsOf(error) };
  }
}

function outcomeOf(judged: Judged): Outcome {
  if ('waitMs' in judged) return { faults: { form: 'too_many_messages' }, waitMs: judged.waitMs };
  return judged.sent === 'other' ? { faults: { form: 'message_already_sent' } } : { isSent: true };
}

/** What a customer can do about an error. Any other error is not the customer's. */
function faultsOf(error: unknown): MessageFaults {
  if (error instanceof WriteConflict) return { form: 'save_failed' };
  if (!(error instanceof ServiceError)) throw error;
  if (error.key === 'image_media_unsupported') return { images: 'images_not_readable' };
  if (error.key === 'claim_closed') return { form: 'claim_closed' };
  if (error.key === 'payload_too_large') return { form: 'messages_full' };
  // The claim was deleted, or its order erased, since the page was opened.
  if (error.key === 'claim_not_found' || error.key === 'order_erased') throw new ServiceError('page_not_found');
  throw error;
}

/** One transaction for the message and the memory of the form, so that each form makes one message. */
function makeMessage(
  { page, storefront, context: { now } }: OpenForm,
  claimUuid: string,
  text: string,
  image_urls: string[],
  sending: SentForm,
  attempt: string,
): Promise<Judged> {
  const { token, slug } = page;
  const shop = { slug, uuid: storefront.shop.uuid };
  return retryOnConflict(async () => {
    const sent = await readSentForms(token, 'message');
    const judged = judge(withoutAttempt(sent.forms, attempt), sending, now, 'message');
    if (!('forms' in judged)) return judged;
    const also = [putSentForms(token, sent, judged.forms, now, 'message')];
    try {
      await writeMessage(shop, claimUuid, { from: 'customer' }, { text, image_urls }, { by: byCustomer, now, also });
    } catch (error) {
      // Another form was sent meanwhile, so it is judged anew.
      throw error instanceof ExtraWriteFailed ? new WriteConflict([]) : error;
    }
    return judged;
  });
}
