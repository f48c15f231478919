import { type Declared, kept } from '#platform/personal-data.ts';
import type { AutomationRun } from './run.ts';

/** What of a run is about a customer: only the event of a claim has words of theirs. */

/** Beside its event, of which there are two kinds. */
export const runData: Declared<Omit<AutomationRun, 'event'>> = {
  id: kept,
  automation_id: kept,
  shop_slug: kept,
  subject: kept,
  due_at: kept,
  status: kept,
  reason: kept,
  conditions: kept,
  actions: kept,
  results: kept,
  finished_at: kept,
  expires_at: kept,
};
