import { clientOf } from '#test/e2e/kit/client.ts';
import { postWebhook, setProvider, strangeCheckpoint } from '#test/e2e/kit/tracking-providers-tour.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const store = 'functions/domain/tracking-providers/provider-store.ts';
const writes = 'functions/api/tracking-providers/tracking-providers.ts';
const codes = 'functions/api/tracking-providers/unmapped-codes.ts';

const key = '`KEYS#username` / token id';
const provider = '`TRACKINGPROVIDERS#` / provider';

const post = ({ stack }: MeasuredShop, ...checkpoints: unknown[]) =>
  postWebhook(clientOf(stack.url), 'cost-of-a-webhook', checkpoints);

/**
 * Only parcels of a carrier that the other scenarios do not use are registered, so nobody is called. The first webhook of a
 * minute is noted, so it is not the one that is measured.
 */
async function setAside(shop: MeasuredShop): Promise<string> {
  await setProvider(clientOf(shop.stack.url), shop.operator, { carriers: ['ups'] });
  await post(shop);
  return '';
}

const [history] = fakeProviders.aftership.histories;

export const trackingProviderScenarios: Scenario[] = [
  {
    operation: 'setTrackingProvider',
    access: `${key}; ${provider}`,
    code: writes,
    run: ({ stack, operator }) => setProvider(clientOf(stack.url), operator, { carriers: ['ups'] }),
  },
  {
    operation: 'listTrackingProviders',
    access: `${key}; all of \`TRACKINGPROVIDERS#\``,
    code: store,
    prepare: setAside,
    run: ({ call }) => call('GET', '/v1/tracking-providers'),
  },
  {
    operation: 'receiveProviderWebhook',
    case: 'a history of known codes',
    access: `${provider}; nothing is written, except to the queue, and once a minute \`UNMAPPED#provider\` / \`WEBHOOK\``,
    code: store,
    prepare: setAside,
    run: (shop) => post(shop, ...history!.checkpoints),
  },
  {
    operation: 'receiveProviderWebhook',
    case: 'with a code without an event, the first time',
    access: `${provider}; \`UNMAPPED#provider\` / \`COUNT\`, \`CODE#code\`, read and written`,
    code: codes,
    prepare: setAside,
    run: (shop) => post(shop, strangeCheckpoint('first')),
  },
  {
    operation: 'receiveProviderWebhook',
    case: 'with a code without an event, again',
    access: `${provider}; \`UNMAPPED#provider\` / \`COUNT\`, \`CODE#code\`; \`CODE#code\``,
    code: codes,
    prepare: async (shop) => {
      await setAside(shop);
      await post(shop, strangeCheckpoint('first'));
      return '';
    },
    run: (shop) => post(shop, strangeCheckpoint('first')),
  },
  {
    operation: 'listUnmappedCodes',
    access: `${key}; ${provider}; all of \`UNMAPPED#provider\` / \`CODE#…\``,
    code: codes,
    prepare: setAside,
    run: ({ call }) => call('GET', '/v1/tracking-providers/aftership/unmapped'),
  },
  {
    operation: 'deleteTrackingProvider',
    access: `${key}; ${provider}`,
    code: writes,
    prepare: setAside,
    run: ({ call }) => call('DELETE', '/v1/tracking-providers/aftership'),
  },
];
