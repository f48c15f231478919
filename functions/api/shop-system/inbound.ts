import { mappingRulesOf } from '#domain/shop-systems/mapping-rules.ts';
import { type Settled, type Unreadable, unreadable } from '#domain/shop-systems/reading.ts';
import { ServiceError } from '#platform/errors.ts';
import { parseRaw } from '#platform/http/body.ts';
import type { Implementation, Request } from '#platform/http/request.ts';
import { requestLimits } from '#schemas/catalogues/limits.ts';
import { topicOf } from '#schemas/catalogues/shop-webhooks.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import { noteIgnored, noteReceived, noteUnreadable } from './inbound-log.ts';
import { receiveFromShopify } from './inbound-shopify.ts';
import { inboundSystems } from './inbound-systems.ts';
import { systemOfShop } from './registration-system.ts';
import { isPing } from './shop-signature.ts';
import { storeConverted } from './store-converted.ts';

type InboundRequest = Request<typeof shopSystem.receiveShopWebhook>;

export const receiveShopWebhook: Implementation<typeof shopSystem.receiveShopWebhook> = async (delivery) => {
  const { signed, shop, params, now } = delivery;
  if (isPing(signed)) return null;
  const system = systemOfShop(shop);
  if (system === 'shop_system_1') {
    const topic = topicOf(system, params.webhook_type);
    await Promise.all([receiveFromShopify(delivery), noteReceived(shop.slug, topic, now)]);
    return null;
  }
  const { topic, readings } = await read(delivery, system);
  const [isComplete] = await Promise.all([settle(delivery, topic, readings), noteReceived(shop.slug, topic, now)]);
  if (!isComplete) throw new ServiceError('bad_gateway', { message: unreachable });
  return null;
};

const unreachable = "The webhook only names the order, and the shop's own API did not answer. Send the webhook again.";

/** These systems drop a hook that fails, so nothing that cannot be read is refused. */
async function read({ shop, signed, now }: InboundRequest, system: keyof typeof inboundSystems) {
  const { rawBody = Buffer.alloc(0), headers, settings } = signed;
  const { topicIn, readingsOf } = inboundSystems[system];
  const isTooLarge = rawBody.length > requestLimits.bodyBytes;
  const payload = isTooLarge ? undefined : parseRaw(rawBody);
  const topic = topicIn(headers, payload);
  if (payload === undefined) return { topic, readings: [unreadable(isTooLarge ? 'too_large' : 'not_json')] };
  const rules = mappingRulesOf(settings, system);
  return { topic, readings: await readingsOf({ shop, payload, topic, rules, now }) };
}

/**
 * Stores what was read, and lists what cannot be. If some of the orders were stored, the others are only listed: a shop
 * turns a hook off that fails too often. @returns false if it has to come again
 */
async function settle(
  delivery: InboundRequest,
  topic: string | undefined,
  readings: readonly Settled[],
): Promise<boolean> {
  const { shop, now } = delivery;
  let isStored = false;
  let isReachable = true;
  for (const reading of readings) {
    if (reading.kind === 'unknown_topic') await noteIgnored(shop.slug, topic, now);
    const fault = reading.kind === 'order' ? await store(delivery, reading) : reading;
    if (reading.kind === 'order' && !fault) isStored = true;
    if (fault?.kind !== 'unreadable') continue;
    await noteUnreadable(shop.slug, topic, fault, now);
    if (fault.reason === 'shop_unreachable') isReachable = false;
  }
  return isStored || isReachable;
}

/** Returns why the order cannot be stored, if that is not a fault of ours: to send it again would not help. */
async function store(
  { shop, now }: InboundRequest,
  { converted }: Extract<Settled, { kind: 'order' }>,
): Promise<Unreadable | undefined> {
  try {
    await storeConverted(shop, converted, now, { hasLastingIds: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFaultOfService) throw error;
    return unreadable('refused', { field: error.key, order: converted.order.external_id });
  }
}
