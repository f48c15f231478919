import { setTimeout as pause } from 'node:timers/promises';
import { enabledAutomations } from '#domain/automations/automation-store.ts';
import { isTriggered, runStartOf } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { performRun } from '#domain/automations/perform-run.ts';
import { type AutomationRun, messageOf, newRun } from '#domain/automations/run.ts';
import { createRun, readRun } from '#domain/automations/run-store.ts';
import { loadOrderContext, type OrderContext, payloadOf, subjectsOf } from '#domain/deliveries/event-payload.ts';
import { type Shipment, shipmentId, slotOf } from '#domain/orders/model.ts';
import { shipmentById } from '#domain/orders/order-rules.ts';
import { type Loaded, loadOrder, saveOrder, versionAfter } from '#domain/orders/order-store.ts';
import { type OutboxEvent, outboxEvent, outboxWrites, type StoredEvent, withVersions } from '#domain/orders/outbox.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import { eventStrings, type Texts } from '#domain/texts/texts.ts';
import { settlePlan } from '#domain/triggers/plan.ts';
import { loadTriggers, unchangedShipment } from '#domain/triggers/plan-store.ts';
import { type OwnedTrigger, triggerEvent, withLatestEvents } from '#domain/triggers/trigger-rules.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import { type Action, commit, commitOnce, WriteConflict } from '#platform/table/writes.ts';
import { simulationLimits as limits } from '#schemas/catalogues/limits.ts';
import type { Happening } from '#schemas/families/simulations.ts';
import { planOfSlot, withChange, withShopsChanges } from './plans.ts';
import { type ScriptedChange, scriptedChange } from './scripted-change.ts';
import { clockMarkOf, type Simulation, type Step, type WaitingRun } from './simulation.ts';
import { type Goal, hasEnded, heldFrom, isHeld, isReached, nextThing } from './simulation-rules.ts';
import { countEnded, requireSimulation, saveSimulation } from './simulation-store.ts';

/** What moving the clock needs to know, read once for a request. */
interface World {
  shop: ShopItem;
  viewer: Viewer;
  /** In the language of the caller. */
  texts: Texts;
  triggers: readonly OwnedTrigger[];
  automations: readonly AutomationRecord[];
  present: Date;
}

interface Moving extends World {
  goal: Goal;
  /** Absent if the request does not need the simulation for itself. */
  heldUntil: number | undefined;
}

export type Surroundings = Pick<World, 'shop' | 'texts' | 'present'> & { serviceUrl: string };

export interface Advanced {
  simulation: Simulation;
  happened: Happening[];
  /** Whether the clock has reached its goal. */
  complete: boolean;
}

/** The simulation after one thing happened. */
interface Moved {
  simulation: Simulation;
  happened: Happening[];
}

/** A goal that depends on the clock, such as an hour later. */
export type GoalFrom = (simulation: Simulation) => Goal;

/**
 * Makes everything happen that is due by the goal, one thing after the other. Each is one transaction with the clock, on
 * the condition that the simulation has not changed. So requests at the same time, a request that dies and one that is
 * repeated make each thing happen once: whoever is late reads the simulation again, and goes on from there.
 *
 * A goal that depends on the clock is set by the clock that the first write finds. If more writes follow, the request holds the
 * simulation until the last one, because others with such a goal would take a clock that is still moving.
 */
export async function advance(
  first: Simulation,
  wanted: Goal | GoalFrom,
  surroundings: Surroundings,
): Promise<Advanced> {
  const world = await loadWorld(surroundings);
  const happened: Happening[] = [];
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  const startedAt = world.present.getTime();
  const heldUntil = typeof wanted === 'function' ? heldFrom(startedAt) : undefined;
  let goal = typeof wanted === 'function' ? undefined : wanted;
  let simulation = await readAgain(first, world);
  let conflicts = 0;
  try {
    while (happened.length < limits.thingsAtOnce && elapsed() < limits.secondsAtOnce * 1000) {
      try {
        if (!goal && isHeld(simulation, startedAt + elapsed())) throw new WriteConflict([]);
        const aim = goal ?? (wanted as GoalFrom)(simulation);
        const moved = await move(simulation, { ...world, goal: aim, heldUntil });
        if (!moved) return { simulation, happened, complete: true };
        goal = aim;
        simulation = moved.simulation;
        happened.push(...moved.happened);
      } catch (error) {
        if (!(error instanceof WriteConflict) || ++conflicts > maxConflicts) throw error;
        await pause(Math.random() * 20 * conflicts);
        simulation = await readAgain(await requireSimulation(first.shop_slug, first.uuid), world);
      }
    }
    if (!goal) throw new WriteConflict([]);
    return { simulation, happened, complete: false };
  } finally {
    // If that fails, others wait as if the request had died.
    if (goal && simulation.held_until === heldUntil && heldUntil) await release(simulation).catch(() => {});
  }
}

const maxConflicts = 40;

async function loadWorld({ shop, texts, present, serviceUrl }: Surroundings): Promise<World> {
  const [triggers, automations, viewer] = await Promise.all([
    loadTriggers(shop.slug),
    enabledAutomations(shop.slug),
    viewerOf({ shop, language: shop.language ?? 'en', serviceUrl, now: present }),
  ]);
  return { shop, viewer, texts, triggers, automations, present };
}

const readAgain = async (simulation: Simulation, { triggers }: World): Promise<Simulation> =>
  withShopsChanges(simulation, await requireOrder(simulation), triggers);

async function requireOrder({ shop_slug, order_id }: Simulation): Promise<Loaded> {
  const loaded = await loadOrder(shop_slug, order_id);
  if (!loaded) throw new ServiceError('simulation_not_found');
  return loaded;
}

/** Undefined if nothing is left to do. */
async function move(simulation: Simulation, world: Moving): Promise<Moved | undefined> {
  const { goal } = world;
  if (simulation.unstarted.length > 0) return startRuns(simulation, world);
  const next = nextThing(simulation, goal);
  if (next?.kind === 'step') return play(simulation, next.step, next.at, world);
  if (next?.kind === 'trigger') return fire(simulation, next.slot, next.at, world);
  if (next?.kind === 'run') return perform(simulation, next.run, next.at, world);
  if (simulation.clock >= goal.until) return undefined;
  return save(simulation, { ...simulation, clock: goal.until }, world);
}

interface SaveOptions {
  also?: Action[];
  happened?: Happening[];
}

async function save(
  before: Simulation,
  after: Simulation,
  moving: Moving,
  { also = [], happened = [] }: SaveOptions = {},
): Promise<Moved> {
  const next = following(before, after, moving);
  await commitOnce([saveSimulation(before, next), ...also]);
  return { simulation: next, happened };
}

/** What is stored after a thing happened. The last one lets the simulation go. */
function following(before: Simulation, after: Simulation, { goal, heldUntil }: Moving): Simulation {
  const version = before.version + 1;
  if (heldUntil === undefined) return { ...after, version };
  const { held_until: _, ...free } = after;
  return isReached(free, goal) ? { ...free, version } : { ...free, version, held_until: heldUntil };
}

function release(simulation: Simulation): Promise<void> {
  const { held_until: _, ...free } = simulation;
  return commit([saveSimulation(simulation, free)]);
}

/** Starts the automations of an event. Their ids are derived, so those that an earlier try started are not started again. */
async function startRuns(simulation: Simulation, moving: Moving): Promise<Moved> {
  const { automations, viewer } = moving;
  const [event, ...unstarted] = simulation.unstarted as [StoredEvent, ...StoredEvent[]];
  const isHeard = automations.some((automation) => isTriggered(automation, event));
  const context = isHeard ? await loadOrderContext(simulation.shop_slug, simulation.order_id) : undefined;
  const runs = context ? startedRuns(event, automations, context, viewer) : [];
  await mapConcurrently(runs, createRun, maxConcurrentWrites);
  const waiting = runs.filter(({ finished_at }) => finished_at === null);
  const added = waiting.map((run) => ({ ...messageOf(run), due_at: run.due_at }));
  return save(simulation, { ...simulation, unstarted, runs: [...simulation.runs, ...added] }, moving);
}

const maxConcurrentWrites = 3;

/** The runs that an event on the clock of a simulation starts. All wait for the clock, also those without a delay. */
function startedRuns(
  event: StoredEvent,
  automations: readonly AutomationRecord[],
  context: OrderContext,
  viewer: Viewer,
): AutomationRun[] {
  const triggered = automations.filter((automation) => isTriggered(automation, event));
  return subjectsOf(event).flatMap((subject) =>
    triggered.flatMap((automation) => {
      const start = runStartOf(automation, event, subject, payloadOf(event, subject, context, viewer));
      if (!start) return [];
      const status = start.status === 'pending' ? 'scheduled' : start.status;
      return [newRun(automation, event, subject, { ...start, status })];
    }),
  );
}

/** The event of a step, with what it means for triggers and automations. */
async function play(simulation: Simulation, step: Step, at: string, world: Moving): Promise<Moved> {
  const loaded = await requireOrder(simulation);
  const stepped = { ...simulation, clock: at, done: simulation.done + 1 };
  const also = hasEnded(stepped) ? [await countEnded(simulation.shop_slug)] : [];
  const change = scriptedChange(simulation, loaded, step, at);
  if (!change) return save(simulation, stepped, world, { also });
  const { shipment, before, events } = change;
  const versionOf = versionAfter(loaded, [shipment]);
  const outgoing = events.map((event) => ({
    ...withVersions(outboxEvent(shipment, event, at), versionOf),
    simulation: clockMarkOf(simulation),
  }));
  const happening = {
    ...stepped,
    slots: { ...simulation.slots, [step.parcel]: slotOf(shipment.uuid) },
    plans: withChange(stepped, shipment, before, world.triggers, at),
    unstarted: unstartedOf(outgoing, world),
  };
  const after = following(simulation, happening, world);
  await saveOrder({
    shop: world.shop,
    before: loaded,
    ...(change.order && { order: change.order }),
    shipments: shipment === before ? [] : [shipment],
    fulfilled: change.isFulfilled ? [shipment] : [],
    events: outgoing,
    also: [saveSimulation(simulation, after), ...also],
    isReport: true,
    now: at,
  });
  return { simulation: after, happened: happeningsOf(step, change, at, world) };
}

/** An event that no automation hears needs no second look. */
const unstartedOf = (events: readonly OutboxEvent[], { shop, automations }: World): StoredEvent[] =>
  events
    .map((event) => ({ ...event, shop_slug: shop.slug }))
    .filter((event) => automations.some((automation) => isTriggered(automation, event)));

const happeningsOf = (step: Step, { shipment, events }: ScriptedChange, at: string, { texts }: World): Happening[] =>
  events.map(({ event_name }) => {
    const { list_label } = eventStrings(texts, event_name, shipment.direction);
    return { at, kind: 'event', title: `Parcel ${step.parcel}: ${list_label}`, event_name, parcel: step.parcel };
  });

const noEvent = { event_name: null, parcel: null };

/** Fires one trigger of a shipment, and moves or drops others of the same time that no longer fit. */
async function fire(simulation: Simulation, slot: string, at: string, world: Moving): Promise<Moved> {
  const loaded = await requireOrder(simulation);
  const uuid = shipmentId(simulation.order_id, Number(slot));
  const found = shipmentById(loaded, uuid);
  const shipment = found && withLatestEvents(found);
  const settled = settlePlan(planOfSlot(simulation, slot), world.triggers, shipment, new Date(at), 1);
  const plans = { ...simulation.plans, [slot]: settled.plan };
  const after = { ...simulation, clock: at, plans };
  const [owned] = settled.fire;
  if (!owned) return save(simulation, after, world);
  const event = {
    ...triggerEvent(shipment!, owned, new Date(at), versionAfter(loaded, [])(uuid)),
    simulation: clockMarkOf(simulation),
  };
  const heard = { ...after, unstarted: unstartedOf([event], world) };
  const also = [
    unchangedShipment(simulation.shop_slug, loaded, shipment as Shipment),
    ...outboxWrites(world.shop, [event], loaded),
  ];
  const title = owned.trigger.name;
  return save(simulation, heard, world, { also, happened: [{ at, kind: 'internal_trigger', title, ...noEvent }] });
}

/** Performs a run. It acts once, however often it is performed, so it may come before the clock moves. */
async function perform(simulation: Simulation, waiting: WaitingRun, at: string, world: Moving): Promise<Moved> {
  const run = await readRun(waiting);
  const { present, viewer } = world;
  if (run?.finished_at === null) await performRun(run, new Date(at), { present, url: viewer.serviceUrl });
  const runs = simulation.runs.filter(({ run_id }) => run_id !== waiting.run_id);
  const automation = world.automations.find(({ uuid }) => uuid === waiting.automation_id);
  const title = automation?.name ?? 'An automation that is inactive or deleted';
  const happened: Happening[] = [{ at, kind: 'automation_run', title, ...noEvent }];
  return save(simulation, { ...simulation, clock: at, runs }, world, { happened });
}
