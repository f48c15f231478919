import { simulationLimits as limits } from '#schemas/catalogues/limits.ts';
import type { Happening, Simulation } from '#schemas/families/simulations.ts';

/** Where a clock can go, and how it gets there. */

type Advanced = Simulation & { happened: Happening[]; complete: boolean };

/** A time on the clock, or a number of steps that are done. Neither changes with what has happened on the way there. */
export type Goal = { to: string } | { done: number };

export interface Move {
  simulation: Simulation;
  happened: Happening[];
  /** False if more is due than could happen so far. */
  isComplete: boolean;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

export const doneOf = ({ steps }: Pick<Simulation, 'steps'>): number => steps.filter(({ done }) => done).length;

/** Whether the script names several parcels. */
export const hasParcels = (steps: Simulation['steps']): boolean => new Set(steps.map(({ parcel }) => parcel)).size > 1;

export const isStepLeft = (simulation: Simulation): boolean => doneOf(simulation) < simulation.steps.length;

const endOf = ({ steps }: Simulation): string => steps.at(-1)!.at;

export const afterMinutes = ({ clock }: Simulation, minutes: number): string => later(clock, minutes * minuteMs);

export const atEnd = (simulation: Simulation): string =>
  endOf(simulation) > simulation.clock ? endOf(simulation) : simulation.clock;

/** The clock goes on after the last step for what waits, but not for ever. */
export const latestTime = (simulation: Simulation): string =>
  later(endOf(simulation), limits.daysAfterLastStep * dayMs);

/** Nobody waits for longer. What is left then happens with the next move. */
const maxRequests = 20;

/**
 * Moves the clock. One request makes a limited number of things happen, so it is sent again until the goal is reached.
 * @param onProgress what happened so far, after each request
 */
export async function moveTo(
  goal: Goal,
  from: Simulation,
  send: (body: { to: string } | { steps: number }) => Promise<Advanced>,
  onProgress: (move: Move) => void,
): Promise<void> {
  let move: Move = { simulation: from, happened: [], isComplete: false };
  for (let requests = 0; requests < maxRequests && !move.isComplete; requests++) {
    const body = 'to' in goal ? goal : { steps: goal.done - doneOf(move.simulation) };
    if ('steps' in body && body.steps <= 0) return;
    const { happened, complete, ...simulation } = await send(body);
    move = { simulation, happened: [...move.happened, ...happened], isComplete: complete };
    onProgress(move);
  }
}
