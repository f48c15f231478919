import { setTimeout as pause } from 'node:timers/promises';
import { basic, clientOf } from '#test/e2e/kit/client.ts';
import synthesizeOnce from '#test/kit/assembly.setup.ts';
import { startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { type Attack, type Attacker, preparations, startAttack } from './attacks.ts';
import { startNeighbour } from './neighbour.ts';
import type { Waits } from './neighbour-thread.ts';
import { startReceiver } from './receiver.ts';
import { fixed, median } from './statistics.ts';

const maxWaitMs = 60_000;
const warmUp = { count: 20, everyMs: 100 };
/** Ten seconds. The attack begins a second earlier and goes on for as long as orders are sent. */
const measurement = { count: 40, everyMs: 250 };
const measurementMs = measurement.count * measurement.everyMs;
const aheadMs = 1000;

/** How long the event of one shop takes while another shop attacks, each time on a stack of its own. */
export async function benchNeighbours(): Promise<void> {
  await synthesizeOnce();
  const rows: Record<string, Record<string, string>> = {};
  for (const prepare of preparations) {
    const { name, alone, beside, caused } = await measure(prepare);
    const usual = median(alone.waits);
    const attacked = median(beside.waits);
    const endless = beside.refused > 0 ? 'refused' : `over ${maxWaitMs / 1000} s`;
    const shown = (ms: number) => (Number.isFinite(ms) ? fixed(ms, 0) : endless);
    rows[name] = {
      'median alone, ms': shown(usual),
      'median, ms': shown(attacked),
      'longest, ms': shown(Math.max(...beside.waits)),
      'of alone': Number.isFinite(attacked) ? fixed(attacked / usual, 2) : endless,
      refused: String(beside.refused),
      'the attack': caused,
    };
    console.log(name, rows[name]); // a service that does not hold takes minutes for each
  }
  console.table(rows);
}

interface Measured {
  name: string;
  alone: Waits;
  beside: Waits;
  /** What the attack sent and received. */
  caused: string;
}

async function measure(prepare: (attacker: Attacker) => Promise<Attack>): Promise<Measured> {
  await using stops = new AsyncDisposableStack();
  const { stack, operator, stop } = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  stops.defer(stop);
  const key = `${operator.username}:${operator.secret}`;
  const newShop = () => newWebhookShop(clientOf(stack.url), key);
  const receiver = await startReceiver(0);
  stops.defer(receiver.stop);

  const shop = await newShop();
  const attacker = {
    shop,
    send: senderTo(`${stack.url}/v1/shops/${shop.slug}`, basic(key)),
    urlOf: receiver.urlOf,
    erase: () => stack.invoke('PrivacyWork', {}),
  };
  const attack = await prepare(attacker);
  const other = await newShop();
  const orders = `${stack.url}/v1/shops/${other.slug}/orders`;
  const neighbour = await startNeighbour({ orders, authorization: basic(key), maxWaitMs });
  stops.defer(neighbour.stop);
  await other.addEndpoint(neighbour.url);

  await neighbour.send(warmUp);
  const alone = await neighbour.send(measurement);
  const running = startAttack(attacker, attack, aheadMs + measurementMs);
  await pause(aheadMs);
  const beside = await neighbour.send(measurement);
  const answers = await running.stop();
  return { name: attack.name, alone, beside, caused: `${answers}; ${receiver.count()} POSTs` };
}

const senderTo =
  (shopUrl: string, authorization: string): Attacker['send'] =>
  async (method, path, body, signal) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(shopUrl + path, { method, headers, body: body ?? null, signal: signal ?? null });
    await answer.arrayBuffer();
    return answer.status;
  };
