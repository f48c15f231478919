import { unsubscribeTokenIn } from '#test/e2e/kit/unsubscribe-links.ts';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const settings = '`SHOP#slug` / `SETTINGS`';
const dataKey = '`DATAKEYS#*` / `email` once in five minutes';
const suppression = '`SUPPRESSIONS#slug` / `ADDRESS#hash`';
const suppressions = 'functions/domain/emails/suppression-store.ts';
const mails = 'functions/api/emails/sample-mail.ts';
const unsubscribing = 'functions/api/pages/unsubscribe.ts';
const page = 'all of `PAGE#token`; all of `STOREFRONT#slug`';

const path = (slug: string, rest: string) => `/v1/shops/${slug}${rest}`;
const send = ({ call }: MeasuredShop, token: string, emails: 'off' | 'on') => {
  const form = new FormData();
  form.set('emails', emails);
  return call('POST', `/u/${token}`, form);
};

/** An order with an address, and the link of its mails. What was kept of keys and storefront is as after other mails. */
async function mailed(shop: MeasuredShop): Promise<string> {
  const { call, slug, fresh, stack } = shop;
  const id = fresh();
  const address = `${id}@example.com`;
  await call('PUT', path(slug, '/orders'), { id, order: { email_id: address }, trackings: [] });
  const { body } = await call('GET', path(slug, `/orders?order_number=${id}`));
  const [{ tracking_page_url }] = body as [{ tracking_page_url: string }];
  const token = await unsubscribeTokenIn(stack, { pageToken: tracking_page_url.split('/').at(-1)!, slug, address });
  await call('GET', `/u/${token}`);
  return token;
}

async function unsubscribed(shop: MeasuredShop): Promise<string> {
  const token = await mailed(shop);
  await send(shop, token, 'off');
  return token;
}

export const emailScenarios: Scenario[] = [
  {
    operation: 'getEmailSettings',
    access: `${authenticated}; ${settings}`,
    code: 'functions/api/emails/settings.ts',
    run: ({ call, slug }) => call('GET', path(slug, '/settings/emails')),
  },
  {
    operation: 'updateEmailSettings',
    access: `${authenticated}; ${settings}, read, then put with \`STOREFRONT#slug\` / \`VERSION\` in one transaction`,
    code: 'functions/api/emails/settings.ts',
    run: ({ call, slug }) => call('PATCH', path(slug, '/settings/emails'), { sender_name: 'The shop' }),
  },
  {
    operation: 'previewEmail',
    access: `${authenticated}; ${settings}`,
    code: mails,
    run: ({ call, slug }) => call('GET', path(slug, '/emails/preview')),
  },
  {
    operation: 'sendTestEmail',
    access: `${authenticated}; ${dataKey}; ${suppression}; \`SUPPRESSIONS#slug\` / \`TESTS\`, read and put; ${settings}, twice`,
    code: mails,
    prepare: async ({ call, fresh }) => {
      const slug = fresh();
      await call('POST', '/v1/shops', { name: 'A shop of costs', slug });
      await call('POST', path(slug, '/emails/test'), { to: 'me@example.com' });
      return slug;
    },
    run: ({ call }, slug) => call('POST', path(slug, '/emails/test'), { to: 'me@example.com' }),
  },
  {
    operation: 'listSuppressions',
    case: 'one on a page',
    access: `${authenticated}; \`SUPPRESSIONS#slug\` / \`TIME#…\`, newest first; orders; ${dataKey}`,
    code: suppressions,
    prepare: unsubscribed,
    run: ({ call, slug }) => call('GET', path(slug, '/emails/suppressions?per_page=1')),
  },
  {
    operation: 'deleteSuppression',
    access: `${authenticated}; ${suppression}, read, then deleted with its line of the list in one transaction`,
    code: suppressions,
    prepare: async (shop) => (await unsubscribed(shop)).split('.').at(-2)!,
    run: ({ call, slug }, id) => call('DELETE', path(slug, `/emails/suppressions/${id}`)),
  },
  {
    operation: 'getUnsubscribePage',
    access: `${dataKey}; ${page}; ${suppression}`,
    code: unsubscribing,
    prepare: mailed,
    run: ({ call }, token) => call('GET', `/u/${token}`),
  },
  {
    operation: 'sendUnsubscribe',
    case: 'off',
    access: `${dataKey}; ${page}; ${suppression}, read, then put with its line of the list in one transaction`,
    code: unsubscribing,
    prepare: mailed,
    run: (shop, token) => send(shop, token, 'off'),
  },
  {
    operation: 'sendUnsubscribe',
    case: 'on again',
    access: `${dataKey}; ${page}; ${suppression}, twice; \`LOOKUPS#slug#hash\` / \`TRIES\`, read and put; both lines deleted in one transaction`,
    code: unsubscribing,
    prepare: unsubscribed,
    run: (shop, token) => send(shop, token, 'on'),
  },
];
