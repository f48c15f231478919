import { trackingPageUrl } from '#domain/orders/tracking-page.ts';
import type { Simulation as SimulationShape } from '#schemas/families/simulations.ts';
import type { Simulation } from './simulation.ts';
import { hasEnded, timeOfStep } from './simulation-rules.ts';

/** A simulation as callers see it. */
export function toSimulationResponse(simulation: Simulation, serviceUrl: string): SimulationShape {
  const { uuid, journey, order_id, order_number, page_token, start_at, clock, integrations, created_at } = simulation;
  return {
    uuid,
    journey,
    order_id,
    order_number,
    tracking_page_url: trackingPageUrl(serviceUrl, page_token),
    start_at,
    clock,
    status: hasEnded(simulation) ? 'ended' : 'running',
    integrations,
    steps: simulation.steps.map((step, i) => ({
      event_name: step.event_name,
      at: timeOfStep(simulation, step),
      done: i < simulation.done,
      parcel: step.parcel,
      is_return: step.is_return ?? false,
    })),
    created_at,
  };
}
