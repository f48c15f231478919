import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const requests = 'functions/domain/privacy/request-store.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const request = '`PRIVACY#slug` / `REQUEST#uuid`';
const question = '`PRIVACY#slug` / `RUNNING#question`';
const settings = '`SHOP#slug` / `SETTINGS`';

const path = (slug: string) => `/v1/shops/${slug}/privacy/requests`;
const asked = (name: string) => ({ kind: 'erasure', email_id: `${name}@example.com`, dry_run: true });

/** Asks about somebody new, and gives the answer's uuid. */
const ask = async ({ call, slug, fresh }: MeasuredShop): Promise<string> => {
  const { body } = await call('POST', path(slug), asked(fresh()));
  return (body as { uuid: string }).uuid;
};

/** What follows a request in the background costs according to the orders of the person. */
export const privacyScenarios: Scenario[] = [
  {
    operation: 'createPrivacyRequest',
    access: `${authenticated}; ${request} and ${question} in one transaction`,
    code: requests,
    run: ({ call, slug, fresh }) => call('POST', path(slug), asked(fresh())),
  },
  {
    operation: 'createPrivacyRequest',
    case: 'that runs already',
    access: `${authenticated}; ${request} and ${question}, refused; ${question}; ${request}`,
    code: requests,
    prepare: async ({ call, slug, fresh }) => {
      const name = fresh();
      await call('POST', path(slug), asked(name));
      return name;
    },
    run: ({ call, slug }, name) => call('POST', path(slug), asked(name)),
  },
  {
    operation: 'listPrivacyRequests',
    case: 'one on a page',
    access: `${authenticated}; ${request}, newest first`,
    code: requests,
    prepare: ask,
    run: ({ call, slug }) => call('GET', `${path(slug)}?per_page=1`),
  },
  {
    operation: 'getPrivacyRequest',
    access: `${authenticated}; ${request}`,
    code: requests,
    prepare: ask,
    run: ({ call, slug }, uuid) => call('GET', `${path(slug)}/${uuid}`),
  },
  {
    operation: 'getRetention',
    access: `${authenticated}; ${settings}`,
    code: 'functions/api/privacy/retention.ts',
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/settings/retention`),
  },
  {
    operation: 'updateRetention',
    access: `${authenticated}; ${settings}, read, then put with \`STOREFRONT#slug\` / \`VERSION\` and \`PRIVACY#slug\` / \`RETENTION\` in one transaction`,
    code: 'functions/api/privacy/retention.ts',
    run: ({ call, slug }) => call('PATCH', `/v1/shops/${slug}/settings/retention`, { deliveries_days: 14 }),
  },
];
