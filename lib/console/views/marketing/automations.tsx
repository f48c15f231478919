import type { Automation } from '#schemas/families/automations.ts';
import { call } from '../../api/client.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { eventText, groupText } from '../../ui/event-refs.ts';
import type { Column } from '../../ui/list.tsx';
import { Time } from '../../ui/time.tsx';
import { State, tones } from '../../ui/tone.tsx';
import { RecordList } from './record-list.tsx';
import { short } from './typed-texts.ts';

export default function Automations() {
  return (
    <RecordList
      kind="automations"
      create="createAutomation"
      read={(query, signal) => call('listAutomations', { query, signal })}
      intro={t('marketing.automations.intro')}
      name={{ title: t('marketing.name'), textOf: ({ name }) => short(name), csv: ({ name }) => name }}
      columns={columns()}
    />
  );
}

const columns = (): Column<Automation>[] => [
  {
    title: t('marketing.status'),
    cell: ({ status }) => <AutomationState status={status} />,
    csv: ({ status }) => t(`marketing.automations.statuses.${status}`),
  },
  {
    title: t('marketing.automations.when'),
    cell: ({ trigger }) => triggerText(trigger),
    csv: ({ trigger }) => triggerText(trigger),
  },
  {
    title: t('marketing.automations.then'),
    cell: ({ actions }) => actionsText(actions),
    csv: ({ actions }) => actionsText(actions),
  },
  {
    title: t('marketing.changed'),
    cell: ({ updated_at }) => <Time at={updated_at} />,
    isMinor: true,
    csv: ({ updated_at }) => updated_at,
  },
];

const actionsText = (actions: Automation['actions']): string =>
  actions.map(({ type }) => wordOf('marketing.automations.types', type)).join(', ');

export const triggerText = ({ event_group, ref }: Automation['trigger']): string =>
  event_group ? groupText(event_group) : eventText(ref ?? '');

export const AutomationState = ({ status }: Pick<Automation, 'status'>) => (
  <State tone={tones.automation[status]}>{t(`marketing.automations.statuses.${status}`)}</State>
);
