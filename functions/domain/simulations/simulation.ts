import type { RunMessage } from '#domain/automations/run.ts';
import { pack, unpack } from '#domain/orders/order-items.ts';
import { markOf, type SimulationMark, type StoredEvent } from '#domain/orders/outbox.ts';
import type { Plan } from '#domain/triggers/plan.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { JourneyStep } from '#schemas/catalogues/journeys.ts';

/** An order whose events follow a script, on a clock that the merchant moves. */
export interface Simulation {
  uuid: string;
  shop_slug: string;
  journey: string | null;
  order_id: string;
  order_number: string;
  page_token: string;
  integrations: boolean;
  /** Whether its customer gets e-mails. */
  emails?: true;
  start_at: string;
  /** UTC with milliseconds, so texts sort as times do. */
  clock: string;
  /** In the order in which they happen. */
  steps: Step[];
  /** How many of the steps have happened. */
  done: number;
  /** The shipments of the parcels that the script names, by the number of the parcel. */
  slots: Record<string, number>;
  /** The internal triggers of each shipment, by its slot. */
  plans: Record<string, Plan>;
  /** Events whose automations are yet to be started. */
  unstarted: StoredEvent[];
  /** Runs of automations that wait for their time. */
  runs: WaitingRun[];
  created_at: string;
  /** Counts the writes. Each write has the condition that there was none since it read. */
  version: number;
  /** Set while the simulation is being removed. */
  removed_at?: string;
  /** Until then (Unix time in milliseconds) one request works on the simulation alone. It may die before. */
  held_until?: number;
}

/** The mark of an event that the clock made. */
export const clockMarkOf = ({ uuid, integrations }: Pick<Simulation, 'uuid' | 'integrations'>): SimulationMark => ({
  ...markOf(uuid, integrations),
  on_clock: true,
});

export type Step = JourneyStep & { parcel: number };

export interface WaitingRun extends RunMessage {
  due_at: string;
}

export interface SimulationItem {
  pk: string;
  sk: string;
  version: number;
  document: Uint8Array;
  removed_at?: string;
  held_until?: number;
  /** Runs that fan-out has handed over since the document was written. */
  handed?: WaitingRun[];
}

/** A script packs well, and each step writes it again. */
export function simulationItem({ removed_at, held_until, ...simulation }: Simulation): SimulationItem {
  const { shop_slug, uuid, version } = simulation;
  return {
    ...keyOf.simulation(shop_slug, uuid),
    version,
    document: pack(simulation),
    ...(removed_at !== undefined && { removed_at }),
    ...(held_until !== undefined && { held_until }),
  };
}

export function toSimulation({ document, version, removed_at, held_until, handed = [] }: SimulationItem): Simulation {
  const simulation = unpack<Simulation>(document);
  const runs = [...simulation.runs, ...handed];
  return {
    ...simulation,
    runs,
    version,
    ...(removed_at !== undefined && { removed_at }),
    ...(held_until !== undefined && { held_until }),
  };
}
