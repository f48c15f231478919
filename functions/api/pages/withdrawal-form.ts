import { v7 as uuidv7 } from 'uuid';
import { byCustomer } from '#domain/claims/claim-rules.ts';
import { isErased } from '#domain/orders/erased-order.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { loadWithdrawalTexts } from '#domain/withdrawals/texts/withdrawal-texts.ts';
import {
  isOffered,
  itemsOfOrder,
  type Period,
  periodOf,
  type Withdrawal,
} from '#domain/withdrawals/withdrawal-rules.ts';
import { declareWithdrawal } from '#domain/withdrawals/withdrawal-store.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation, RawResponse } from '#platform/http/request.ts';
import { retryOnConflict, WriteConflict } from '#platform/table/writes.ts';
import type { pages } from '#schemas/families/pages.ts';
import { textOf } from './form-fields.ts';
import { freshKey, isFromPage } from './form-key.ts';
import { type OpenForm, type Opening, openForm } from './page-form.ts';
import { pagePath, redirectTo } from './redirect.ts';
import type { PageContext } from './views/view.ts';
import { type WithdrawalContext, type WithdrawalFormState, withdrawalFormView } from './views/withdrawal-view.ts';
import { type FormItem, formItems, readWithdrawalForm, type WithdrawalForm } from './withdrawal-form-rules.ts';

type Operations = typeof pages;

/** All is ticked from the start. The link of a page on which nothing can be withdrawn any more leads to that page. */
export const getWithdrawalForm: Implementation<Operations['getWithdrawalForm']> = async (request) => {
  const place = await openWithdrawal(request);
  if (place.page.withdrawal || !isOffered(place.fullOrder, place.period, place.clock())) return toPage(request, place);
  const values = { name: '', email_id: '', items: place.items.map(({ value }) => value) };
  return show(place, { values, faults: {} }, 200);
};

/** Records the withdrawal and leads to the page, or shows the form again and says what is wrong. */
export const sendWithdrawalForm: Implementation<Operations['sendWithdrawalForm']> = async (request) => {
  const place = await openWithdrawal(request);
  if (place.page.withdrawal) return toPage(request, place);
  const form = readWithdrawalForm(request.body, place.items);
  const faults: WithdrawalFormState['faults'] = isFromPage(request, textOf(request.body, 'form_key'), place)
    ? form.faults
    : { form: 'form_expired', ...form.faults };
  const found = Object.keys(faults).length > 0 ? faults : await declare(place, form);
  return found ? show(place, { ...form, faults: found }, 422) : toPage(request, place);
};

/** The form to withdraw, and what it stands on. */
interface WithdrawalPlace extends OpenForm {
  context: PageContext & WithdrawalContext;
  period: Period;
  items: FormItem[];
}

/** Only a shop that offers it has the form. */
async function openWithdrawal(request: Opening): Promise<WithdrawalPlace> {
  const place = await openForm(request);
  const { fullOrder, storefront, context } = place;
  const { settings } = storefront;
  if (!settings.withdrawal_enabled || isErased(fullOrder.order)) throw new ServiceError('page_not_found');
  return {
    ...place,
    context: { ...context, withdrawalTexts: await loadWithdrawalTexts(context.language) },
    period: periodOf(fullOrder, settings.withdrawal_days),
    // A shop that shows no products on its page shows none here either: then it is about the whole order.
    items: settings.show_products ? formItems(itemsOfOrder(fullOrder)) : [],
  };
}

const toPage = ({ query }: Pick<Opening, 'query'>, { page }: WithdrawalPlace): RawResponse => ({
  ...redirectTo(pagePath(`../${page.token}`, query)),
  status: 303,
});

function show(
  place: WithdrawalPlace,
  form: Pick<WithdrawalFormState, 'values' | 'faults'>,
  status: number,
): RawResponse {
  const { facts, context, items } = place;
  const formKey = freshKey(place, context.now);
  return { ...withdrawalFormView(facts, { ...form, formKey, items }, context), status };
}

/** Undefined if it is declared, now or before. The order is read again: a parcel may have arrived in between. */
async function declare(
  place: WithdrawalPlace,
  form: WithdrawalForm,
): Promise<WithdrawalFormState['faults'] | undefined> {
  const { page, storefront } = place;
  const { slug, orderId } = page;
  try {
    return await retryOnConflict(async () => {
      const fullOrder = await loadOrder(slug, orderId);
      if (!fullOrder || isErased(fullOrder.order)) throw new ServiceError('page_not_found');
      const now = place.clock();
      const period = periodOf(fullOrder, storefront.settings.withdrawal_days);
      if (!isOffered(fullOrder, period, now)) return { form: 'period_over' as const };
      await declareWithdrawal(
        { slug, uuid: storefront.shop.uuid },
        withdrawalOf(place, form, fullOrder, period),
        fullOrder,
      );
      return undefined;
    });
  } catch (error) {
    if (error instanceof WriteConflict) return { form: 'try_again' };
    throw error;
  }
}

function withdrawalOf(
  { items, storefront, clock, context }: WithdrawalPlace,
  { values }: WithdrawalForm,
  fullOrder: OrderWithShipments,
  { deadline, basis }: Period,
): Withdrawal {
  const { uuid: order_id, order_number, simulation_id } = fullOrder.order;
  const at = clock().toISOString();
  const chosen = items.filter(({ value }) => values.items.includes(value)).map(({ item }) => item);
  const all = () => formItems(itemsOfOrder(fullOrder)).map(({ item }) => item);
  return {
    uuid: uuidv7({ msecs: context.now.getTime() }),
    order_id,
    order_number,
    items: storefront.settings.show_products ? chosen : all(),
    declared_at: at,
    deadline,
    based_on: basis,
    status: 'declared',
    comment: null,
    name: values.name,
    email_id: values.email_id,
    history: [{ at, status: 'declared', by: byCustomer, by_name: null, comment: null }],
    ...(simulation_id !== undefined && { simulation_id }),
  };
}
