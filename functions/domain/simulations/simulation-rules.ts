import { invalidValue, ServiceError } from '#platform/errors.ts';
import { dayMs, hourMs, utc } from '#platform/time.ts';
import { type Journey, type JourneyStep, journeys } from '#schemas/catalogues/journeys.ts';
import { simulationLimits as limits } from '#schemas/catalogues/limits.ts';
import type { SimulationAdvance, SimulationStart } from '#schemas/families/simulations.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Simulation, Step, WaitingRun } from './simulation.ts';

/** What a simulation does next, and when. None of these functions knows the present. */

const minuteMs = 60_000;

const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

export const timeOfStep = ({ start_at }: Pick<Simulation, 'start_at'>, { after_minutes }: JourneyStep): string =>
  later(start_at, after_minutes * minuteMs);

export const hasEnded = ({ done, steps }: Pick<Simulation, 'done' | 'steps'>): boolean => done >= steps.length;

/** Whether a request works on the simulation alone. Times are Unix times in milliseconds. */
export const isHeld = ({ held_until = 0 }: Pick<Simulation, 'held_until'>, now: number): boolean => held_until > now;

export const heldFrom = (now: number): number => now + limits.heldSeconds * 1000;

/** The script of a request, in the order in which it happens. Steps of the same time stay as they were given. */
export function scriptOf({ journey, steps }: Pick<SimulationStart, 'journey' | 'steps'>): Step[] {
  if ((journey === undefined) === (steps === undefined))
    throw invalidValue(['body'], 'must have either a journey or steps');
  const given: readonly JourneyStep[] = steps
    ? steps.map(({ is_return, ...step }) => ({ ...step, ...(is_return && { is_return }) }))
    : journeyOf(journey)!.steps;
  const script = given.map((step): Step => ({ ...step, parcel: step.parcel ?? 1 }));
  checkParcels(script);
  return script.toSorted((a, b) => a.after_minutes - b.after_minutes);
}

function checkParcels(script: readonly Step[]): void {
  const first = new Map<number, boolean>();
  for (const [i, { parcel, is_return = false }] of script.entries()) {
    if (first.has(parcel) && first.get(parcel) !== is_return) {
      throw invalidValue(['body', 'steps', i, 'is_return'], 'must be the same in all steps of a parcel');
    }
    first.set(parcel, is_return);
  }
}

/** The parcels that the order sends, in their order. Those that the customer sends back come into being later. */
export function parcelsOf(script: readonly Step[]): number[] {
  const sent = script.filter(({ is_return }) => !is_return).map(({ parcel }) => parcel);
  return [...new Set(sent)].sort((a, b) => a - b);
}

export function startOf({ start_at }: Pick<SimulationStart, 'start_at'>, now: Date): string {
  const start = start_at === undefined ? now.toISOString() : utc(start_at);
  if (Math.abs(Date.parse(start) - now.getTime()) > limits.startDays * dayMs) {
    throw invalidValue(['body', 'start_at'], `must be within ${limits.startDays} days of now`);
  }
  return start;
}

type Ordered = Pick<SimulationStart, 'order' | 'journey'>;

const journeyOf = (wanted: string | undefined): Journey | undefined => journeys.find(({ id }) => id === wanted);

/** Invented, so that the pages and events of a simulation look like real ones. */
export function simulatedOrder({ order: given, journey }: Ordered, uuid: string, start: string) {
  const sample: OrderInput = {
    email_id: 'customer@example.com',
    address: journeyOf(journey)?.address ?? {
      name: 'Sample Customer',
      address_line_1: 'Musterweg 1',
      zip_code: '20095',
      city: 'Hamburg',
      country: 'Germany',
      country_code: 'DE',
    },
    products: [{ title: 'Sample product', sku: 'SAMPLE-1', quantity: 1, price: 29.9 }],
    total_order_price: 29.9,
  };
  const order_number = given?.order_number ?? `SIM-${uuid.slice(-12).toUpperCase()}`;
  return { ...sample, order_placed_at: start, ...given, order_number };
}

/** Nobody mistakes it for a carrier's number. */
export const simulatedNumber = ({ uuid }: Pick<Simulation, 'uuid'>, parcel: number): string =>
  `SIM${uuid.slice(-12).toUpperCase()}${String(parcel).padStart(2, '0')}`;

/** How far a request moves a simulation. */
export interface Goal {
  /** The new time on the clock. */
  until: string;
  /** How many steps are done then, at most. */
  done: number;
}

export function goalOf(simulation: Simulation, wanted: SimulationAdvance): Goal {
  const given = [wanted.by_minutes, wanted.to, wanted.steps].filter((value) => value !== undefined);
  if (given.length !== 1) throw invalidValue(['body'], 'must have one of by_minutes, to and steps');
  if (wanted.steps !== undefined) return afterSteps(simulation, wanted.steps);
  const { clock, steps } = simulation;
  const until = wanted.to === undefined ? later(clock, wanted.by_minutes! * minuteMs) : utc(wanted.to);
  if (until < clock) throw new ServiceError('simulation_clock_backwards');
  const last = lastTime(simulation);
  if (until > last) {
    throw new ServiceError('simulation_ended', { message: `The clock of the simulation can go up to ${last}.` });
  }
  return { until, done: steps.length };
}

function afterSteps(simulation: Simulation, count: number): Goal {
  if (hasEnded(simulation)) throw new ServiceError('simulation_ended');
  const done = Math.min(simulation.done + count, simulation.steps.length);
  const time = timeOfStep(simulation, simulation.steps[done - 1]!);
  return { until: time > simulation.clock ? time : simulation.clock, done };
}

const lastTime = (simulation: Simulation): string =>
  later(timeOfStep(simulation, simulation.steps.at(-1)!), limits.daysAfterLastStep * dayMs);

/** What happens next. */
export type Next =
  | { kind: 'run'; at: string; run: WaitingRun }
  | { kind: 'trigger'; at: string; slot: string }
  | { kind: 'step'; at: string; step: Step };

/**
 * The earliest thing that is due by the goal. Of the same time, what waits comes before the next event. So the order of
 * things follows from the simulation alone, and not from how its clock was moved.
 */
export function nextThing(simulation: Simulation, { until, done }: Goal): Next | undefined {
  const { clock, runs, plans, steps } = simulation;
  const notBefore = (time: string) => (time > clock ? time : clock);
  const waiting = runs.map((run): Next => ({ kind: 'run', at: notBefore(run.due_at), run }));
  const planned = Object.entries(plans).flatMap(([slot, { planned: times }]): Next[] => {
    const time = Math.min(...Object.values(times));
    return Number.isFinite(time) ? [{ kind: 'trigger', at: notBefore(new Date(time).toISOString()), slot }] : [];
  });
  const step = simulation.done < done ? steps[simulation.done] : undefined;
  const scripted = step ? [{ kind: 'step' as const, at: notBefore(timeOfStep(simulation, step)), step }] : [];
  return [...waiting, ...planned, ...scripted]
    .filter(({ at }) => at <= until)
    .sort((a, b) => compare(a.at, b.at) || rank[a.kind] - rank[b.kind] || compare(sortName(a), sortName(b)))[0];
}

/** Whether nothing is left to do by the goal. */
export const isReached = (simulation: Simulation, goal: Goal): boolean =>
  simulation.unstarted.length === 0 && simulation.clock >= goal.until && nextThing(simulation, goal) === undefined;

const rank = { run: 0, trigger: 1, step: 2 };

/** Runs of the same time stay in the order in which they were started. */
const sortName = (next: Next): string =>
  next.kind === 'run' ? next.run.due_at : next.kind === 'trigger' ? next.slot : '';

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** What a step reports of its parcel. */
export function reportOf({ start_at }: Pick<Simulation, 'start_at'>, step: Step, at: string) {
  const { event_name, location, pickup, arrives_in_days: days, arrives_between: between } = step;
  const time = (minutes: number) => localHour(later(start_at, minutes * minuteMs), location?.timezone);
  const day = days === undefined ? undefined : later(start_at, days * dayMs).slice(0, 10);
  return {
    event: { event_name, time: at, ...(location && { location, timezone: location.timezone }) },
    ...(day !== undefined && {
      expected_delivery: { start: `${day}T00:00:00Z`, end: `${day}T23:59:59Z`, source: 'simulation' },
    }),
    ...(between && { expected_delivery: { start: time(between[0]), end: time(between[1]), source: 'simulation' } }),
    ...(pickup && { pickup: pickupOf(pickup, at) }),
  };
}

/** As carriers write it: full hours, on the clock of the recipient. */
function localHour(time: string, zone = 'UTC'): string {
  const hour = Math.floor(Date.parse(time) / hourMs) * hourMs;
  const style = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const local = new Intl.DateTimeFormat('sv', style).format(hour).replace(' ', 'T');
  const hours = (Date.parse(`${local}Z`) - hour) / hourMs;
  return Number.isInteger(hours) && hours > 0 && hours < 10 ? `${local}+0${hours}:00` : new Date(hour).toISOString();
}

function pickupOf({ days, ...point }: NonNullable<Step['pickup']>, at: string) {
  return { ...point, date_to: later(at, days * dayMs) };
}
