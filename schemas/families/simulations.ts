import Type, { type Static } from 'typebox';
import { type JourneyId, journeyIds } from '../catalogues/journeys.ts';
import { simulationLimits as limits } from '../catalogues/limits.ts';
import { shipmentEventNames } from '../catalogues/shipment-events.ts';
import { nullInOrder, OrderInput } from '../shapes/order-shapes.ts';
import { Choice, DateTime, Defaulted, Nullable, paging, Shape, translated, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const minutesOfDay = 24 * 60;

const AfterMinutes = () =>
  Type.Integer({
    minimum: 0,
    maximum: limits.stepDays * minutesOfDay,
    description: 'When it happens, in minutes from the start of the simulation.',
  });

const EventName = () => Choice(shipmentEventNames, { description: 'What happens to the parcel.' });

const parcelNumber = { minimum: 1, maximum: limits.parcels } as const;

const SimulationStep = Shape('SimulationStep', {
  event_name: EventName(),
  after_minutes: AfterMinutes(),
  parcel: Defaulted(Type.Integer({ ...parcelNumber, description: 'The number of the parcel in the order.' }), 1),
  is_return: Defaulted(
    Type.Boolean({
      description: 'Whether the customer sends the parcel back. All steps of a parcel must say the same.',
    }),
    false,
  ),
});

const { expected_number_of_shipments: _count, ...simulatedOrderFields } = OrderInput.properties;

const SimulatedOrder = Shape('SimulatedOrder', simulatedOrderFields, {
  description:
    'Fields of the order. What you leave out has an invented value. The number of parcels follows from the steps.',
});

const SimulationStart = Shape('SimulationStart', {
  journey: Type.Optional(
    Choice(journeyIds as [JourneyId, ...JourneyId[]], { description: 'A stock journey. Send it, or `steps`.' }),
  ),
  steps: Type.Optional(
    Type.Array(SimulationStep, {
      minItems: 1,
      maxItems: limits.steps,
      description:
        'A script of your own, in any order. A parcel that has no tracking number gets one with its first event of a carrier.',
    }),
  ),
  start_at: Type.Optional(
    DateTime({
      description: `The first time on the clock, up to ${limits.startDays} days from now. Default: the current time.`,
    }),
  ),
  order: Type.Optional(SimulatedOrder),
  integrations: Defaulted(
    Type.Boolean({
      description: 'Whether the integrations of the shop get the events, too. Webhook endpoints always do.',
    }),
    false,
  ),
  emails: Defaulted(
    Type.Boolean({
      description:
        'Whether e-mails are sent to the `email_id` of the order, if the shop sends any. Otherwise the log has them as `skipped`.',
    }),
    false,
  ),
});

const PlannedStep = Shape('PlannedStep', {
  event_name: Type.String(),
  at: DateTime({ description: 'When it happens on the clock of the simulation.' }),
  done: Type.Boolean({ description: 'Whether it has happened.' }),
  parcel: Type.Integer({ description: 'The number of the parcel in the order.' }),
  is_return: Type.Boolean({ description: 'Whether the customer sends the parcel.' }),
});

const simulationFields = {
  uuid: Uuid(),
  journey: Nullable(Type.String({ description: 'The stock journey. Null if the steps are your own.' })),
  order_id: Uuid({ description: 'The order that the simulation made.' }),
  order_number: Type.String(),
  tracking_page_url: Type.String({
    description: 'The page that a customer would see. It shows the time of the clock.',
  }),
  start_at: DateTime(),
  clock: DateTime({ description: 'The current time of the simulation.' }),
  status: Choice(['running', 'ended'], { description: '`ended`: all steps are done.' }),
  integrations: Type.Boolean({ description: 'Whether the integrations of the shop get the events.' }),
  emails: Type.Boolean({ description: 'Whether e-mails are sent to its customer.' }),
  steps: Type.Array(PlannedStep, { description: 'In the order in which they happen.' }),
  created_at: DateTime(),
};

const Simulation = Shape('Simulation', simulationFields);

const happenings = ['event', 'internal_trigger', 'automation_run'] as const;

const AdvancedSimulation = Shape('AdvancedSimulation', {
  ...simulationFields,
  happened: Type.Array(
    Shape(
      'SimulationHappening',
      {
        at: DateTime({ description: 'When it happened on the clock of the simulation.' }),
        kind: Choice(happenings),
        title: Type.String({ description: 'What happened, for people.' }),
        event_name: Nullable(Type.String({ description: 'The event. Null if it was none.' })),
        parcel: Nullable(Type.Integer({ description: 'The number of its parcel in the order.' })),
      },
      translated,
    ),
    { description: 'What this request made happen, in its order.' },
  ),
  complete: Type.Boolean({
    description:
      `False if the clock has not reached its goal, because one request makes up to ${limits.thingsAtOnce} things happen. Then send ` +
      'what is left: the same `to`, or the rest of `by_minutes` or `steps`.',
  }),
});

const Journey = Shape('Journey', {
  id: Choice(journeyIds as [JourneyId, ...JourneyId[]]),
  title: Type.String(),
  description: Type.String(),
  steps: Type.Array(
    Shape('JourneyStep', {
      event_name: Type.String(),
      after_minutes: Type.Integer(),
      parcel: Type.Integer(),
      is_return: Type.Boolean(),
    }),
  ),
});

const params = Type.Object({ uuid: Uuid() });

export const simulations = declare({
  listJourneys: {
    method: 'GET',
    path: `${shopPath}/simulations/journeys`,
    role: 'viewer',
    summary: 'List the stock journeys',
    description: 'Returns what usually happens to parcels, as scripts that a simulation can play.',
    response: Type.Array(Journey),
  },
  startSimulation: {
    method: 'POST',
    path: `${shopPath}/simulations`,
    role: 'editor',
    summary: 'Start a simulation',
    description:
      'Makes an order that is marked with `simulation_id`, and a script of what happens to its parcels. Nothing of the script ' +
      'happens until you move the clock. Webhook endpoints get its events as they get those of any order, signed, with the header ' +
      '`webhook-simulation`. Statistics and campaigns do not count it, and no tracking provider is asked about its parcels. ' +
      `A shop can have ${limits.running} running simulations.`,
    body: SimulationStart,
    nullIsAbsent: nullInOrder,
    response: Simulation,
    errors: ['order_exists', 'payload_too_large'],
  },
  listSimulations: {
    method: 'GET',
    path: `${shopPath}/simulations`,
    role: 'viewer',
    summary: 'List simulations',
    description: 'Returns the simulations of the shop, the newest first.',
    query: Type.Object(paging),
    response: Type.Array(Simulation),
  },
  getSimulation: {
    method: 'GET',
    path: `${shopPath}/simulations/{uuid}`,
    role: 'viewer',
    summary: 'Get a simulation',
    params,
    response: Simulation,
    errors: ['simulation_not_found'],
  },
  advanceSimulation: {
    method: 'POST',
    path: `${shopPath}/simulations/{uuid}/advance`,
    role: 'editor',
    summary: 'Move the clock of a simulation',
    description:
      'Send one of `by_minutes`, `to` and `steps`. Everything that is due by the new time happens in its order, once, and at its ' +
      'simulated time: events, internal triggers, automations and their delays. What waits comes before an event of the same ' +
      'time. It makes no difference whether you move the clock in one step or in many. Of two requests at the same time, one with ' +
      '`by_minutes` or `steps` counts from where the other one ends, or is refused with 409 `write_conflict`, and one with `to` ' +
      `stops at its own time. When all steps are done, the clock can go on for ${limits.daysAfterLastStep} days.`,
    params,
    body: Shape('SimulationAdvance', {
      by_minutes: Type.Optional(
        Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: 'How far the clock moves.' }),
      ),
      to: Type.Optional(DateTime({ description: 'The new time on the clock.' })),
      steps: Type.Optional(
        Type.Integer({ minimum: 1, maximum: limits.steps, description: 'How many of the next steps happen.' }),
      ),
    }),
    response: AdvancedSimulation,
    errors: ['simulation_not_found', 'simulation_clock_backwards', 'simulation_ended'],
  },
  removeSimulation: {
    method: 'DELETE',
    path: `${shopPath}/simulations/{uuid}`,
    role: 'editor',
    summary: 'Remove a simulation',
    description:
      'Removes the simulation and all that it made: its order with its claims and the photos that were sent from its tracking page, ' +
      'that page, its events, and its deliveries from the logs of endpoints and integrations. Images that you uploaded stay, because ' +
      'other claims may name them.',
    params,
    response: Shape('SimulationRemoval', {
      uuid: Uuid(),
      removed: Type.Boolean({
        description:
          'False if it is not done: there was too much for one request, or another request is removing the simulation. Send ' +
          'it again. 404 then means that it is gone.',
      }),
    }),
    errors: ['simulation_not_found'],
  },
});

export type SimulationStart = Static<typeof SimulationStart>;
export type SimulationAdvance = Static<(typeof simulations.advanceSimulation)['body']>;
export type Simulation = Static<typeof Simulation>;
export type Happening = Static<typeof AdvancedSimulation>['happened'][number];
