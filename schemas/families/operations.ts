import Type, { type Static } from 'typebox';
import { operationsLimits } from '../catalogues/limits.ts';
import { trackingProviders } from '../catalogues/tracking-providers.ts';
import { Choice, DateTime, Nullable, Shape } from '../shapes/shapes.ts';
import { declare } from './operation.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const WatchedQueue = Shape('WatchedQueue', {
  name: Type.String({ description: 'What the queue holds, as the commands for operators name it.' }),
  waiting: Count('Messages that wait, are held back or are being handled.'),
  given_up: Count(
    'Messages that were put aside. `npm run operator -- failures` lists them, `replay` sends them again.',
  ),
});

const OpenCircuit = Shape('OpenCircuit', {
  shop_slug: Type.String(),
  target: Type.String({
    description: 'The uuid of an endpoint, the name of an integration, or a webhook of an automation.',
  }),
  state: Choice(['open', 'draining'], {
    description: '`open`: deliveries are parked. `draining`: the target answers again, and parked deliveries follow.',
  }),
  since: DateTime({ description: 'When the circuit opened, or when a parked delivery was last sent.' }),
  parked: Count(`Deliveries that wait for the target, ${operationsLimits.parked} at most.`),
});

const WatchedProvider = Shape('WatchedProvider', {
  provider: Choice(trackingProviders),
  last_webhook_at: Nullable(
    DateTime({
      description: 'When the provider last sent a webhook, to about a minute. Null: none since this is kept.',
    }),
  ),
  unmapped: Count('Codes of the provider that have no event.'),
  refused: Count('Webhooks of today and yesterday (UTC) whose signature was refused. It may be a little more.'),
});

const WatchedStream = Shape('WatchedStream', {
  name: Choice(['fan-out', 'counts'], { description: 'The function that reads the stream of the table.' }),
  age_seconds: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        'How long ago the newest change was made that the function has read. Something changes every minute, and counts ' +
        'gathers for 50 seconds, so more than three minutes mean that it is behind. Null: it has read nothing yet.',
    }),
  ),
});

const OperationsView = Shape('ServiceOperations', {
  queues: Type.Array(WatchedQueue, { description: 'Those with messages that were given up first.' }),
  circuits: Type.Array(OpenCircuit, {
    maxItems: operationsLimits.circuits,
    description: 'The receivers of all shops that do not answer, or did not. The newest trouble is first.',
  }),
  providers: Type.Array(WatchedProvider, { description: 'The tracking providers that are set.' }),
  streams: Type.Array(WatchedStream, { description: 'The oldest is first.' }),
});

export const operations = declare({
  getOperations: {
    method: 'GET',
    path: '/v1/operations',
    role: 'superadmin',
    summary: 'See what waits, fails and stands still',
    description:
      'Returns what waits in the queues of the service and what was given up, the receivers that do not answer, the ' +
      'tracking providers with their last webhook, and how far behind the readers of the stream are.',
    response: OperationsView,
  },
});

export type OperationsResponse = Static<typeof OperationsView>;
