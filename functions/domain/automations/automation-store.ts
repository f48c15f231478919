import { allRecords, toRecord } from '#domain/records/record-list.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import { automationKind } from './automation-kind.ts';
import type { AutomationRecord } from './model.ts';

/** What the pipeline reads of automations; the family that writes them has more. */

/** Those of a shop that are not asleep. */
export async function wakeAutomations(slug: string): Promise<AutomationRecord[]> {
  return (await allRecords(automationKind, slug)).filter(({ status }) => status !== 'inactive');
}

export async function automationIn(slug: string, uuid: string): Promise<AutomationRecord | undefined> {
  const [item] = await batchGet([keyOf.record(automationKind.name, slug, uuid)]);
  return item && toRecord(item);
}
