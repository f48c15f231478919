import { listedJourneys } from '../catalogues/journeys.ts';
import type { Simulation, simulations } from '../families/simulations.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids, simulatedPageToken } from './story.ts';

const params = { uuid: ids.simulation };

const simulation = {
  uuid: ids.simulation,
  journey: null,
  order_id: ids.simulatedOrder,
  order_number: 'SIM-1',
  tracking_page_url: `${hosts.service}/t/${simulatedPageToken}`,
  start_at: '2026-11-16T09:30:00.000Z',
  clock: '2026-11-16T09:30:00.000Z',
  status: 'running' as const,
  integrations: false,
  emails: false,
  steps: [
    { event_name: 'ORDER_PROCESSED', at: '2026-11-16T11:30:00.000Z', done: false, parcel: 1, is_return: false },
    { event_name: 'OUT_FOR_DELIVERY', at: '2026-11-17T09:30:00.000Z', done: false, parcel: 1, is_return: false },
    { event_name: 'SUCCESSFULLY_DELIVERED', at: '2026-11-17T13:30:00.000Z', done: false, parcel: 1, is_return: false },
  ],
  created_at: '2026-11-16T09:12:00.000Z',
} satisfies Simulation;

const advanced = {
  ...simulation,
  clock: '2026-11-17T09:30:00.000Z',
  steps: simulation.steps.map((step, i) => ({ ...step, done: i < 2 })),
};

const happening = (at: string, event_name: string, label: string) => ({
  at,
  kind: 'event' as const,
  title: `Parcel 1: ${label}`,
  event_name,
  parcel: 1,
});

export const simulationExamples = {
  listJourneys: {
    response: listedJourneys,
  },
  startSimulation: {
    body: {
      steps: [
        { event_name: 'ORDER_PROCESSED', after_minutes: 120 },
        { event_name: 'OUT_FOR_DELIVERY', after_minutes: 1440 },
        { event_name: 'SUCCESSFULLY_DELIVERED', after_minutes: 1680 },
      ],
      start_at: '2026-11-16T09:30:00Z',
      order: { order_number: 'SIM-1' },
    },
    response: simulation,
  },
  listSimulations: { response: [simulation] },
  getSimulation: { params, response: simulation },
  advanceSimulation: {
    params,
    body: { by_minutes: 1440 },
    response: {
      ...advanced,
      happened: [
        happening('2026-11-16T11:30:00.000Z', 'ORDER_PROCESSED', 'Order ready to ship'),
        happening('2026-11-17T09:30:00.000Z', 'OUT_FOR_DELIVERY', 'Out for delivery'),
      ],
      complete: true,
    },
  },
  removeSimulation: { params, response: { uuid: ids.simulation, removed: true } },
} satisfies ExamplesOf<typeof simulations>;
