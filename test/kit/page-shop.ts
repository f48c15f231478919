import { handler as abTests } from '#api/ab-tests/handler.ts';
import { handler as announcements } from '#api/announcements/handler.ts';
import { handler as campaigns } from '#api/campaigns/handler.ts';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as deals } from '#api/deals/handler.ts';
import { handler as discounts } from '#api/discounts/handler.ts';
import { handler as events } from '#api/events/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as pages } from '#api/pages/handler.ts';
import { handler as settings } from '#api/settings/handler.ts';
import { handler as shops } from '#api/shops/handler.ts';
import { invoke } from './invoke.ts';
import { asOperator, operator, shopItem, tableWith } from './table.ts';

/** A shop with tracking pages on the table in memory. Its requests go through the handlers. */

const handlers = {
  abTests,
  announcements,
  campaigns,
  claims,
  deals,
  discounts,
  events,
  orders,
  pages,
  settings,
  shops,
};

export const pageShop = 'blue';

export const holdsShop = (...items: object[]) => tableWith(operator.item, shopItem(pageShop), ...items);

type Family = keyof typeof handlers;
type Params = Record<string, string>;

interface ShopCall {
  body?: unknown;
  params?: Params;
  query?: Params;
}

/** A request of the shop that must succeed. @param path behind that of the shop */
export async function shopCall(family: Family, method: string, path: string, call: ShopCall = {}) {
  const { params = {}, ...rest } = call;
  const answer = await invoke(handlers[family], {
    method,
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: pageShop, ...params },
    headers: asOperator,
    ...rest,
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates or changes an order, and returns the token of its page. */
export async function pageOfOrder(id: string, order: object = {}, ...numbers: string[]): Promise<string> {
  const trackings = numbers.map((tracking_number) => ({ tracking_number, carrier_reference: 'dhl' }));
  await shopCall('orders', 'PUT', '/orders', { body: { id, order, trackings } });
  const [found] = await shopCall('orders', 'GET', '/orders', { query: { order_number: id } });
  return found.tracking_page_url.slice(found.tracking_page_url.lastIndexOf('/') + 1);
}

const open = (resource: string, params: Params, call: { query?: Params; headers?: Params } = {}) =>
  invoke(pages, { method: 'GET', resource, params, ...call });

export const factsOf = (token: string, call = {}) => open('/v1/tracking/{token}', { token }, call);
export const pageOf = (token: string, call = {}) => open('/t/{token}', { token }, call);
export const follow = (token: string, promotion_id: string, call = {}) =>
  open('/t/{token}/go/{promotion_id}', { token, promotion_id }, call);

export const newCampaign = (name: string, fields: object = {}, properties: object = {}) =>
  shopCall('campaigns', 'POST', '/campaigns', {
    body: {
      name,
      segment: 'all',
      promotion_type: 'basic',
      enabled: true,
      promotion_properties: { title: name, cta_url: 'https://shop.example/offer?a=b%20c#top', ...properties },
      ...fields,
    },
  });

export async function countsOf(uuid: string): Promise<{ shown: number; clicked: number }> {
  return (await shopCall('campaigns', 'GET', '/campaigns/{uuid}', { params: { uuid } })).counts;
}
