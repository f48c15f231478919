import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const code = 'functions/platform/table/record-writes.ts';
const list = 'functions/platform/table/records.ts';
const runs = 'functions/domain/automations/run-store.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const automation = '`AUTOMATIONS#slug` / `RECORD#uuid`';

const body = (name: string) => ({
  name,
  // No event triggers it, so that only the request itself is measured.
  trigger: { ref: 'claims/updated' },
  actions: [{ type: 'webhook', params: { url: 'http://127.0.0.1/cost' } }],
});

/** The path of a new automation. */
async function made({ call, slug, fresh }: MeasuredShop): Promise<string> {
  const path = `/v1/shops/${slug}/automations`;
  const { body: created } = await call('POST', path, body(fresh()));
  return `${path}/${(created as { uuid: string }).uuid}`;
}

/** The path of an automation that the only order of its shop would have triggered. */
async function madeBesideAnOrder({ call, fresh }: MeasuredShop): Promise<string> {
  const slug = fresh();
  await call('POST', '/v1/shops', { name: 'A shop of costs', slug });
  await call('PUT', `/v1/shops/${slug}/orders`, {
    id: fresh(),
    order: {},
    trackings: [{ tracking_number: comparableTrackingNumber(fresh()) }],
  });
  const path = `/v1/shops/${slug}/automations`;
  const { body: created } = await call('POST', path, { ...body(fresh()), status: 'inactive', trigger: { ref: '*' } });
  return `${path}/${(created as { uuid: string }).uuid}`;
}

export const automationScenarios: Scenario[] = [
  {
    operation: 'createAutomation',
    access: `${authenticated}; \`COUNT\`; ${automation}, its name and the count in one transaction`,
    code,
    prepare: made,
    run: ({ call, slug, fresh }) => call('POST', `/v1/shops/${slug}/automations`, body(fresh())),
  },
  {
    operation: 'listAutomations',
    access: `${authenticated}; \`AUTOMATIONS#slug\`, newest first`,
    code: list,
    run: ({ call, slug }) => call('GET', `/v1/shops/${slug}/automations`),
  },
  {
    operation: 'getAutomation',
    access: `${authenticated}; ${automation}`,
    code,
    prepare: made,
    run: ({ call }, path) => call('GET', path),
  },
  {
    operation: 'replaceAutomation',
    case: 'another name',
    access: `${authenticated}; ${automation}, read and replaced, with both names in one transaction`,
    code,
    prepare: made,
    run: ({ call, fresh }, path) => call('PUT', path, body(fresh())),
  },
  {
    operation: 'deleteAutomation',
    access: `${authenticated}; ${automation}, \`COUNT\`; the automation and its name, what is kept of it and the count in one transaction`,
    code,
    prepare: made,
    run: ({ call }, path) => call('DELETE', path),
  },
  {
    operation: 'listAutomationRuns',
    case: 'none',
    access: `${authenticated}; ${automation}; \`AUTOMATIONRUNS#slug#uuid\`, newest first; their deliveries`,
    code: runs,
    prepare: made,
    run: ({ call }, path) => call('GET', `${path}/runs`),
  },
  {
    operation: 'dryRunAutomation',
    case: 'over one order',
    access: `${authenticated}; ${automation}; index \`activity\`: \`SHIPMENTS#slug\`, \`DRAFTS#slug\` and \`CLAIMS#slug\`; all of each order, its outbox, and its claims where an event fits`,
    code: 'functions/api/automations/dry-run.ts',
    prepare: madeBesideAnOrder,
    run: ({ call }, path) => call('POST', `${path}/dry-run`, {}),
  },
];
