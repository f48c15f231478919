import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const store = 'functions/domain/simulations/simulation-store.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const simulation = '`SIMULATIONS#slug` / `SIM#uuid`';
const settings = 'the settings and automations of the shop';
const slug = 'simulated';
const path = `/v1/shops/${slug}/simulations`;
const steps = [
  { event_name: 'ORDER_PROCESSED', after_minutes: 60 },
  { event_name: 'OUT_FOR_DELIVERY', after_minutes: 1440 },
];

/** The path of a new simulation, in a shop without receivers. */
async function made({ call }: MeasuredShop): Promise<string> {
  await call('POST', '/v1/shops', { name: 'Simulated', slug });
  const { body } = await call('POST', path, { steps });
  return `${path}/${(body as { uuid: string }).uuid}`;
}

async function removed(shop: MeasuredShop): Promise<string> {
  const place = await made(shop);
  await shop.call('DELETE', place);
  return place;
}

export const simulationScenarios: Scenario[] = [
  {
    operation: 'listJourneys',
    access: authenticated,
    code: 'schemas/catalogues/journeys.ts',
    prepare: removed,
    run: ({ call }) => call('GET', `${path}/journeys`),
  },
  {
    operation: 'startSimulation',
    case: 'one parcel',
    access: `${authenticated}; as \`placeOrder\`, with ${simulation} and \`COUNT\`; ${settings}; the order`,
    code: 'functions/domain/simulations/start.ts',
    prepare: removed,
    run: ({ call }) => call('POST', path, { steps }),
  },
  {
    operation: 'listSimulations',
    case: 'of one',
    access: `${authenticated}; \`SIMULATIONS#slug\`, newest first`,
    code: store,
    run: ({ call }) => call('GET', path),
  },
  {
    operation: 'getSimulation',
    access: `${authenticated}; ${simulation}`,
    code: store,
    prepare: made,
    run: ({ call }, place) => call('GET', place),
  },
  {
    operation: 'advanceSimulation',
    case: 'by one step',
    access: `${authenticated}; ${simulation}; ${settings}; the order, twice; order, parcel, event and ${simulation} in one transaction`,
    code: 'functions/domain/simulations/advance.ts',
    prepare: made,
    run: ({ call }, place) => call('POST', `${place}/advance`, { steps: 1 }),
  },
  {
    operation: 'removeSimulation',
    case: 'without deliveries',
    access: `${authenticated}; ${simulation}; index \`timeline\`; all of the order, its page, its claims and its outbox, removed one by one`,
    code: 'functions/domain/simulations/remove.ts',
    prepare: made,
    run: ({ call }, place) => call('DELETE', place),
  },
];
