import type { Shipment } from '#domain/orders/model.ts';
import type { Loaded } from '#domain/orders/order-store.ts';
import { loadSettingsWithTriggers, type SettingsWithTriggers } from '#domain/settings/trigger-settings.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { tableName } from '#platform/table/client.ts';
import { type Due, type DueItem, dueItem } from '#platform/table/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet, type Key } from '#platform/table/reads.ts';
import { type Action, commit, put, remove, retryOnConflict } from '#platform/table/writes.ts';
import { thirdParties } from '#schemas/catalogues/integrations.ts';
import { changedPlan, isGivenUp, type PlanItem, type PlannedShipment, planItem, planOf } from './plan.ts';
import type { OwnedTrigger } from './trigger-rules.ts';

/** Reads and writes the plans of these shipments only, which may be a part of an order. */
export async function planShipments(
  shipments: readonly PlannedShipment[],
  triggers: readonly OwnedTrigger[],
  now: Date,
): Promise<void> {
  const plans = await batchGet(shipments.map(planKey));
  const known = new Map(shipments.map((planned, i) => [planned, plans[i] as unknown as PlanItem | undefined]));
  await mapConcurrently(known, ([planned, plan]) => planShipment(planned, plan, triggers, now), maxConcurrentWrites);
}

const planKey = ({ slug, shipment: { order_id, uuid } }: PlannedShipment) => keyOf.dueTriggers(slug, order_id, uuid);

/** Few at a time: other shops use the same table. */
const maxConcurrentWrites = 3;

/** If the plan has changed since it was read, for example because a trigger fired, it is read again. */
async function planShipment(
  planned: PlannedShipment,
  plan: PlanItem | undefined,
  triggers: readonly OwnedTrigger[],
  now: Date,
): Promise<void> {
  const key = planKey(planned);
  let isFirst = true;
  await retryOnConflict(async () => {
    const known = isFirst ? plan : await readPlan(key);
    isFirst = false;
    const next = changedPlan(planned, triggers, planOf(known), now) ?? (isGivenUp(known) ? planOf(known) : undefined);
    if (!next) return;
    const item = planItem(planned.slug, planned.shipment, next, nextRevision(known));
    await commit([planWrite(key, known, item)]);
  });
}

export async function readPlan({ pk, sk }: Key): Promise<PlanItem | undefined> {
  const [item] = await batchGet([{ pk, sk }]);
  return item as unknown as PlanItem | undefined;
}

export const nextRevision = (known: PlanItem | undefined) => (known?.revision ?? 0) + 1;

/** Fails if the plan has changed since it was read. An empty plan is deleted. */
export function planWrite({ pk, sk }: Key, known: PlanItem | undefined, next: PlanItem | undefined): Action {
  const condition = known ? 'revision = :revision AND version = :version' : 'attribute_not_exists(pk)';
  const values = known && { ':revision': known.revision, ':version': known.version };
  return next ? put(next, condition, values) : remove({ pk, sk }, condition, values);
}

/** Every internal trigger of a shop. Whether its owner is enabled is checked only when it fires. */
export const loadTriggers = async (slug: string): Promise<OwnedTrigger[]> =>
  triggersIn(await loadSettingsWithTriggers(slug));

export const triggersIn = ({ internalTriggers }: SettingsWithTriggers): OwnedTrigger[] =>
  thirdParties.flatMap((third_party) => internalTriggers[third_party].map((trigger) => ({ third_party, trigger })));

export type Cursor = Key & { activity_pk: string; activity_sk: string };

/** The triggers of a shop have changed, so its shipments are planned again in parts. */
export interface Replan extends Due {
  kind: 'trigger_replan';
  /** When the triggers changed. A trigger that was due before this time does not fire. */
  since: string;
  /** The position in the list of shipments after which to continue. Absent at first. */
  cursor?: Cursor | undefined;
}

export type ReplanItem = Replan & DueItem;

export const replanItem = (replan: Omit<Replan, 'kind'>): ReplanItem =>
  dueItem(keyOf.dueReplan(replan.shop_slug), { kind: 'trigger_replan', ...replan });

/** If a replan is already running, it starts again from the newest shipment. */
export function askToReplan(slug: string, now: Date): Promise<void> {
  const at = now.toISOString();
  return commit([put(replanItem({ shop_slug: slug, due_at: at, since: at }))]);
}

/**
 * Checks that the shipment has not changed since it was read. A draft is part of its order's item, so the version of
 * the order counts.
 */
export function unchangedShipment(slug: string, { order, version, versions }: Loaded, { uuid }: Shipment): Action {
  const stored = versions.get(uuid);
  const Key = stored === undefined ? keyOf.order(slug, order.uuid) : keyOf.shipment(slug, order.uuid, uuid);
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key,
      ConditionExpression: 'version = :read',
      ExpressionAttributeValues: { ':read': stored ?? version },
    },
  };
}
