import { setTimeout as pause } from 'node:timers/promises';
import type { World } from './world.ts';

type Service = Pick<World, 'api' | 'key' | 'service'>;

export interface PrivacyAnswer {
  uuid: string;
  status: string;
  orders: number;
  stores: { store: string; found: number; erased: number; kept: number; kept_because: string | null }[];
  download_url: string | null;
}

export const ask = (world: Service, slug: string, body: object, key = world.key) =>
  world.api('POST', `/v1/shops/${slug}/privacy/requests`, { key, body });

async function read(world: Service, slug: string, uuid: string): Promise<PrivacyAnswer> {
  return (await world.api('GET', `/v1/shops/${slug}/privacy/requests/${uuid}`, { key: world.key })).body;
}

const maxRounds = 50;

/** Sends a request, and runs the function of the schedule until the request is done. */
export async function fulfil(world: Service, slug: string, body: object): Promise<PrivacyAnswer> {
  // Connections may have ended while a test was busy with words: the client sees it when it gets to it.
  await pause(100);
  const { status, body: asked, text } = await ask(world, slug, body);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return finish(world, slug, asked.uuid);
}

export async function finish(
  world: Service,
  slug: string,
  uuid: string,
  beforeRound: () => Promise<void> = async () => {},
): Promise<PrivacyAnswer> {
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    const request = await read(world, slug, uuid);
    if (request.status !== 'running') return request;
    await beforeRound();
    await world.service.stack.invoke('PrivacyWork', {});
  }
  throw new Error(
    `The request is not done after ${maxRounds} rounds: ${JSON.stringify(await read(world, slug, uuid))}`,
  );
}
