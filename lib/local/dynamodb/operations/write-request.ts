import { type Consumption, consumption, writeUnits } from '../capacity.ts';
import { keyNames, type TableDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { conditionFailed, invalidParameter, validation } from '../errors.ts';
import { parseCondition } from '../expressions/conditions.ts';
import { holds } from '../expressions/evaluate.ts';
import { References } from '../expressions/references.ts';
import type { Condition, Path, UpdateAction } from '../expressions/syntax.ts';
import { applyUpdate } from '../expressions/update.ts';
import { parseUpdate } from '../expressions/update-parser.ts';
import { itemSize } from '../item-size.ts';
import { type ItemKey, keyOfItem, readKey } from '../keys.ts';
import { choice, optionalText, type Request, refuseLegacy, requiredObject, requiredText } from '../request.ts';
import { MAX_ITEM_BYTES, type StoredItem } from '../storage.ts';
import { type AttributeMap, copyMap, emptyMap, readMap } from '../values.ts';

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** One item's write as asked for, checked as far as it can be without the item. */
export interface WriteRequest {
  kind: WriteKind;
  table: TableDefinition;
  key: ItemKey;
  condition: Condition | undefined;
  returnItemOnFailure: boolean;
  updatedPaths: Path[];
  next(old: AttributeMap | undefined): AttributeMap | undefined;
}

export function readWrite(engine: Engine, kind: WriteKind, request: Request): WriteRequest {
  refuseLegacy(request);
  const table = engine.catalog.table(requiredText(request, 'TableName'));
  const references = new References(request.ExpressionAttributeNames, request.ExpressionAttributeValues);
  const actions = kind === 'Update' ? readActions(table, request, references) : [];
  const conditionText = optionalText(request, 'ConditionExpression');
  const condition =
    conditionText === undefined ? undefined : parseCondition(conditionText, 'ConditionExpression', references);
  if (kind === 'ConditionCheck' && !condition) throw validation('The expression can not be empty;');
  const failure = choice(request, 'ReturnValuesOnConditionCheckFailure', ['ALL_OLD', 'NONE']);
  const write = targetOf(kind, table, request, actions);
  references.assertAllUsed(condition !== undefined || optionalText(request, 'UpdateExpression') !== undefined);
  return {
    kind,
    table,
    condition,
    returnItemOnFailure: failure === 'ALL_OLD',
    updatedPaths: actions.map((action) => action.path),
    ...write,
  };
}

function targetOf(
  kind: WriteKind,
  table: TableDefinition,
  request: Request,
  actions: UpdateAction[],
): Pick<WriteRequest, 'key' | 'next'> {
  if (kind === 'Put') {
    const item = readItem(request);
    return { key: keyOfItem(table, item), next: () => item };
  }
  const key = readKey(table, requiredObject(request, 'Key'));
  if (kind === 'Delete') return { key, next: () => undefined };
  if (kind === 'ConditionCheck') return { key, next: (old) => old };
  return { key, next: (old) => updated(old ?? copyMap(key.attributes), actions) };
}

export function readItem(request: Request): AttributeMap {
  const item = readMap(requiredObject(request, 'Item'));
  if (itemSize(item) > MAX_ITEM_BYTES) throw validation('Item size has exceeded the maximum allowed size');
  return item;
}

function updated(item: AttributeMap, actions: UpdateAction[]): AttributeMap {
  const next = applyUpdate(item, actions);
  if (itemSize(next) > MAX_ITEM_BYTES) throw validation('Item size to update has exceeded the maximum allowed size');
  return next;
}

function readActions(table: TableDefinition, request: Request, references: References): UpdateAction[] {
  const expression = optionalText(request, 'UpdateExpression');
  if (expression === undefined) return [];
  const actions = parseUpdate(expression, references);
  const names = keyNames(table.key);
  const fixed = actions.find((action) => names.includes(String(action.path[0])));
  if (fixed) throw invalidParameter(`Cannot update attribute ${fixed.path[0]}. This attribute is part of the key`);
  return actions;
}

/** Throws if the condition does not hold; an item that is not there has no attributes. */
export function checkCondition(write: WriteRequest, old: StoredItem | undefined): void {
  if (!write.condition || holds(write.condition, old?.item ?? emptyMap())) return;
  throw conditionFailed(write.returnItemOnFailure ? old?.item : undefined);
}

export function performWrite(
  engine: Engine,
  write: WriteRequest,
  old: StoredItem | undefined,
  next: AttributeMap | undefined,
): Consumption {
  if (write.kind === 'ConditionCheck') return consumption(writeUnits(old?.size ?? 0));
  return engine.write(write.table, write.key, old, next);
}
