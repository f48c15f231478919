import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const withdrawal = '`WITHDRAWALS#slug` / `DECLARED#uuid`';
const page = 'all of `PAGE#token`; all of `ORDER#slug#uuid`; all of `STOREFRONT#slug`';
const store = 'functions/domain/withdrawals/withdrawal-store.ts';
const form = 'functions/api/pages/withdrawal-form.ts';

const path = (slug: string, rest: string) => `/v1/shops/${slug}${rest}`;

/** The address of the form of a new order. What was kept of the storefront is as after other pages. */
async function offered({ call, slug, fresh }: MeasuredShop): Promise<string> {
  await call('PATCH', path(slug, '/settings/tracking-page'), { withdrawal_enabled: true });
  const id = fresh();
  const order = { products: [{ title: 'Shirt', sku: 'SHIRT-M', quantity: 1 }], address: { country_code: 'DE' } };
  await call('PUT', path(slug, '/orders'), { id, order, trackings: [{ tracking_number: fresh() }] });
  const { body } = await call('GET', path(slug, `/orders?order_number=${id}`));
  const [{ tracking_page_url }] = body as [{ tracking_page_url: string }];
  const token = tracking_page_url.split('/').at(-1)!;
  await call('GET', `/t/${token}`);
  return token;
}

async function opened(shop: MeasuredShop): Promise<string> {
  const token = await offered(shop);
  const { body } = await shop.call('GET', `/t/${token}/withdrawal`);
  const valueIn = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(String(body))?.[1] ?? '';
  return JSON.stringify({ token, form_key: valueIn('form_key'), items: valueIn('items') });
}

function send({ call }: MeasuredShop, text: string) {
  const { token, ...fields } = JSON.parse(text) as Record<string, string>;
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...fields, name: 'Ada', email_id: 'ada@example.com' }))
    body.set(name, value);
  return call('POST', `/t/${token}/withdrawal`, body);
}

/** The uuid of a withdrawal that was just declared. */
async function declared(shop: MeasuredShop): Promise<string> {
  await send(shop, await opened(shop));
  const { body } = await shop.call('GET', path(shop.slug, '/withdrawals?per_page=1'));
  return (body as { withdrawals: [{ uuid: string }] }).withdrawals[0].uuid;
}

export const withdrawalScenarios: Scenario[] = [
  {
    operation: 'getWithdrawalForm',
    access: page,
    code: form,
    prepare: offered,
    run: ({ call }, token) => call('GET', `/t/${token}/withdrawal`),
  },
  {
    operation: 'sendWithdrawalForm',
    access: `${page}; all of \`ORDER#slug#uuid\` again; ${withdrawal}, \`OF#order\`, \`PAGE#token\` / \`WITHDRAWAL\`, outbox and a check of \`CLAIMS#slug#order\` / \`COUNT\` in one transaction`,
    code: store,
    prepare: opened,
    run: send,
  },
  {
    operation: 'searchWithdrawals',
    access: `${authenticated}; \`WITHDRAWALS#slug\`, newest first`,
    code: store,
    prepare: declared,
    run: ({ call, slug }) => call('GET', path(slug, '/withdrawals')),
  },
  {
    operation: 'getWithdrawal',
    access: `${authenticated}; ${withdrawal}`,
    code: store,
    prepare: declared,
    run: ({ call, slug }, uuid) => call('GET', path(slug, `/withdrawals/${uuid}`)),
  },
  {
    operation: 'settleWithdrawal',
    access: `${authenticated}; ${withdrawal}; all of \`ORDER#slug#uuid\`; withdrawal, \`PAGE#token\` / \`WITHDRAWAL\` and outbox in one transaction`,
    code: store,
    prepare: declared,
    run: ({ call, slug }, uuid) => call('PUT', path(slug, `/withdrawals/${uuid}`), { status: 'accepted' }),
  },
];
