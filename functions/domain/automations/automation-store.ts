import { deletedRecordPrefix, keyOf, recordsIn } from '#platform/table/keys.ts';
import { allItemsIn, getItem } from '#platform/table/reads.ts';
import type { RecordKind } from '#platform/table/record.ts';
import { allRecords, toRecord } from '#platform/table/records.ts';
import { recordLimits } from '#schemas/catalogues/limits.ts';
import type { AutomationFields, AutomationRecord } from './model.ts';

/** What the pipeline reads about automations. The functions that write them are in functions/api/automations. */

/** All automations of the shop. A shop has few. */
export const allAutomations = (slug: string): Promise<AutomationRecord[]> => allRecords(automationKind, slug);

/** The shop's automations that are active or in testing. */
export async function enabledAutomations(slug: string): Promise<AutomationRecord[]> {
  return (await allAutomations(slug)).filter(({ status }) => status !== 'inactive');
}

/** The last states of those that were deleted. */
export async function deletedAutomations(slug: string): Promise<AutomationRecord[]> {
  const items = await allItemsIn<Record<string, unknown>>(recordsIn(automationKind.name, slug), {
    prefix: deletedRecordPrefix,
  });
  return items.map((item) => toRecord(item));
}

export async function automationIn(slug: string, uuid: string): Promise<AutomationRecord | undefined> {
  const item = await getItem(keyOf.record(automationKind.name, slug, uuid));
  return item && toRecord(item);
}

export const automationKind: RecordKind<AutomationFields> = {
  name: 'automations',
  notFound: 'automation_not_found',
  // Every event of the shop is matched against all of them.
  limit: { max: recordLimits.automations, noun: 'automations' },
  unique: [{ name: 'name', of: ({ name }) => name, taken: 'automation_exists' }],
};
