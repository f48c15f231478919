import type { RecordKind } from '#domain/records/record.ts';
import type { AutomationFields } from './model.ts';

export const automationKind: RecordKind<AutomationFields> = {
  name: 'automations',
  notFound: 'automation_not_found',
  unique: [{ name: 'name', of: ({ name }) => name, taken: 'automation_exists' }],
};
