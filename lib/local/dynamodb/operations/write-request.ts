import { type Consumption, consumption, writeUnits } from '../capacity.ts';
import { keyNames, type TableDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { conditionFailed, invalidParameter, validation } from '../errors.ts';
import { parseCondition } from '../expressions/conditions.ts';
import { holds } from '../expressions/evaluate.ts';
import { References } from '../expressions/references.ts';
import type { Condition, UpdateAction } from '../expressions/syntax.ts';
import { applyUpdate } from '../expressions/update.ts';
import { parseUpdate } from '../expressions/update-parser.ts';
import { itemSize, valueSize } from '../item-size.ts';
import { assertIndexKeysNotEmptied, type ItemKey, keyOf, keyOfItem } from '../keys.ts';
import { chosen, optionalText, type Request, refuseLegacy, requiredObject, requiredText } from '../request.ts';
import { MAX_ITEM_BYTES, type StoredItem } from '../storage.ts';
import { type AttributeMap, copyMap, emptyMap, readMap } from '../values.ts';

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** The write of one item, checked as far as possible without the keys of the table and without the item. */
export interface ParsedWrite {
  kind: WriteKind;
  table: TableDefinition;
  /** The item of a Put, the Key of the others. */
  attributes: AttributeMap;
  /** The size of the attributes. */
  size: number;
  actions: UpdateAction[];
  condition: Condition | undefined;
  returnItemOnFailure: boolean;
  /** The size of the request's own data, as AWS counts it for a transaction. */
  payloadBytes(): number;
}

export interface WriteRequest extends ParsedWrite {
  key: ItemKey;
  next(old: StoredItem | undefined): StoredItem | undefined;
}

export function readWrite(engine: Engine, kind: WriteKind, request: Request): ParsedWrite {
  refuseLegacy(request);
  const table = engine.catalog.table(requiredText(request, 'TableName'));
  const references = new References(request.ExpressionAttributeNames, request.ExpressionAttributeValues);
  const updateText = kind === 'Update' ? optionalText(request, 'UpdateExpression') : undefined;
  const actions = updateText === undefined ? [] : parseUpdate(updateText, references);
  const conditionText = optionalText(request, 'ConditionExpression');
  const condition =
    conditionText === undefined ? undefined : parseCondition(conditionText, 'ConditionExpression', references);
  references.assertAllUsed(
    condition !== undefined || updateText !== undefined,
    kind === 'Update' ? 'UpdateExpression and ConditionExpression are null' : 'ConditionExpression is null',
  );
  const { item: attributes, size } = kind === 'Put' ? readItem(request) : readKeyAttributes(request);
  return {
    kind,
    table,
    attributes,
    size,
    actions,
    condition,
    returnItemOnFailure: chosen(request, 'ReturnValuesOnConditionCheckFailure') === 'ALL_OLD',
    payloadBytes: () => {
      let bytes = size + (updateText?.length ?? 0);
      if (kind === 'Update') for (const value of references.values()) bytes += valueSize(value);
      return bytes;
    },
  };
}

/** Throws if the write does not match the keys of the table. */
export function withKey(write: ParsedWrite): WriteRequest {
  const { kind, table, attributes, size, actions } = write;
  if (kind === 'Put') {
    return { ...write, key: keyOfItem(table, attributes), next: () => ({ item: attributes, size }) };
  }
  assertKeysUntouched(table, actions);
  const key = keyOf(table, attributes);
  if (kind === 'Delete') return { ...write, key, next: () => undefined };
  if (kind === 'ConditionCheck') return { ...write, key, next: (old) => old };
  return { ...write, key, next: (old) => updated(table, key, old?.item, actions) };
}

export function readItem(request: Request): StoredItem {
  const item = readMap(requiredObject(request, 'Item'));
  const size = itemSize(item);
  if (size > MAX_ITEM_BYTES) throw validation('Item size has exceeded the maximum allowed size');
  return { item, size };
}

function readKeyAttributes(request: Request): StoredItem {
  const item = readMap(requiredObject(request, 'Key'));
  return { item, size: itemSize(item) };
}

function updated(
  table: TableDefinition,
  key: ItemKey,
  old: AttributeMap | undefined,
  actions: UpdateAction[],
): StoredItem | undefined {
  if (!old && actions.length > 0 && actions.every(onlyRemoves)) return undefined;
  const item = applyUpdate(old ?? copyMap(key.attributes), actions);
  const size = itemSize(item);
  if (size > MAX_ITEM_BYTES) throw validation('Item size to update has exceeded the maximum allowed size');
  assertIndexKeysNotEmptied(table, item);
  return { item, size };
}

/** An update that only removes creates no item. */
const onlyRemoves = ({ kind }: UpdateAction) => kind === 'remove' || kind === 'delete';

function assertKeysUntouched(table: TableDefinition, actions: UpdateAction[]): void {
  const names = keyNames(table.key);
  const fixed = actions.find((action) => names.includes(String(action.path[0])));
  if (fixed) throw invalidParameter(`Cannot update attribute ${fixed.path[0]}. This attribute is part of the key`);
}

/** Throws if the condition fails. An item that does not exist has no attributes. */
export function checkCondition(write: WriteRequest, old: StoredItem | undefined): void {
  if (!write.condition || holds(write.condition, old?.item ?? emptyMap())) return;
  throw conditionFailed(write.returnItemOnFailure ? old?.item : undefined);
}

export function performWrite(
  engine: Engine,
  write: WriteRequest,
  old: StoredItem | undefined,
  next: StoredItem | undefined,
): Consumption {
  if (write.kind === 'ConditionCheck') return consumption(writeUnits(old?.size ?? 0), write.key.hash);
  return engine.write(write.table, write.key, old, next);
}
