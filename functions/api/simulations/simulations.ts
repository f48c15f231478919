import { trackingPageUrl } from '#domain/orders/tracking-page.ts';
import { advance } from '#domain/simulations/advance.ts';
import { removeSimulation as remove } from '#domain/simulations/remove.ts';
import type { Simulation } from '#domain/simulations/simulation.ts';
import { goalOf, hasEnded, timeOfStep } from '#domain/simulations/simulation-rules.ts';
import { requireSimulation, simulationReader } from '#domain/simulations/simulation-store.ts';
import { startSimulation as start } from '#domain/simulations/start.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import type { Implementation, Request } from '#platform/http/request.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { positionsOf } from '#platform/table/list-counters.ts';
import { readPage } from '#platform/table/paging.ts';
import { listedJourneys } from '#schemas/catalogues/journeys.ts';
import type { Simulation as SimulationShape, simulations } from '#schemas/families/simulations.ts';

type Operations = typeof simulations;

export const listJourneys: Implementation<Operations['listJourneys']> = () => listedJourneys;

/** What waits for the very beginning, such as an automation on the creation of orders, happens at once. */
export const startSimulation: Implementation<Operations['startSimulation']> = async (request) => {
  const { shop, body, serviceUrl, now } = request;
  const started = await start(shop, body, now);
  const goal = { until: started.clock, done: 0 };
  const { simulation } = await advance(started, goal, await surroundingsOf(request));
  return toResponse(simulation, serviceUrl);
};

export const listSimulations: Implementation<Operations['listSimulations']> = async (request) => {
  const { shop, serviceUrl } = request;
  const positions = positionsOf(countedLists.simulations(shop.slug));
  const found = await readPage(request, `simulations#${shop.slug}`, simulationReader(shop.slug), positions);
  return found.map((simulation) => toResponse(simulation, serviceUrl));
};

export const getSimulation: Implementation<Operations['getSimulation']> = async ({ shop, params, serviceUrl }) =>
  toResponse(await requireSimulation(shop.slug, params.uuid), serviceUrl);

export const advanceSimulation: Implementation<Operations['advanceSimulation']> = async (request) => {
  const { shop, params, body, serviceUrl } = request;
  const before = await requireSimulation(shop.slug, params.uuid);
  const goal = goalOf(before, body);
  const wanted = body.to === undefined ? (current: Simulation) => goalOf(current, body) : goal;
  const { simulation, happened, complete } = await advance(before, wanted, await surroundingsOf(request));
  return { ...toResponse(simulation, serviceUrl), happened, complete };
};

export const removeSimulation: Implementation<Operations['removeSimulation']> = async ({ shop, params, now }) => {
  const uuid = params.uuid.toLowerCase();
  return { uuid, removed: await remove(shop, uuid, now) };
};

type Asking = Pick<Request<Operations['startSimulation']>, 'shop' | 'language' | 'serviceUrl' | 'now'>;

const surroundingsOf = async ({ shop, language, serviceUrl, now }: Asking) => ({
  shop,
  serviceUrl,
  texts: await loadTexts(language),
  present: now,
});

/** A simulation as callers see it. */
function toResponse(simulation: Simulation, serviceUrl: string): SimulationShape {
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
    emails: simulation.emails ?? false,
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
