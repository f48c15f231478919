import type { Automation } from '#schemas/families/automations.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State, type Tone } from '../../ui/tone.tsx';
import { ListOf, NewLink, pathOf } from './records.tsx';
import { short } from './typed-texts.ts';

export default function Automations() {
  const page = pageOf();
  const query = { page, per_page: perPage };
  const automations = useResource(JSON.stringify(query), (signal) => call('listAutomations', { query, signal }));
  return (
    <Page title={t('marketing.automations.title')} actions={can('createAutomation') && <NewLink kind="automations" />}>
      <p class="muted">{t('marketing.automations.intro')}</p>
      <Loaded resource={automations} tried={t('marketing.automations.tried')}>
        {(rows) => (
          <ListOf kind="automations" rows={rows} isNarrowed={page > 1} mayCreate={can('createAutomation')}>
            <Table
              caption={t('marketing.automations.title')}
              columns={columns()}
              rows={rows}
              rowKey={({ uuid }) => uuid}
            />
          </ListOf>
        )}
      </Loaded>
    </Page>
  );
}

const columns = () => [
  {
    title: t('marketing.name'),
    cell: ({ uuid, name }: Automation) => <RowLink to={href(pathOf('automations', uuid))}>{short(name)}</RowLink>,
  },
  { title: t('marketing.status'), cell: ({ status }: Automation) => <AutomationState status={status} /> },
  { title: t('marketing.automations.when'), cell: ({ trigger }: Automation) => triggerText(trigger) },
  {
    title: t('marketing.automations.then'),
    cell: ({ actions }: Automation) =>
      actions.map(({ type }) => wordOf('marketing.automations.types', type)).join(', '),
  },
  { title: t('marketing.changed'), cell: ({ updated_at }: Automation) => <Time at={updated_at} />, isMinor: true },
];

export const triggerText = ({ event_group, ref }: Automation['trigger']): string =>
  event_group ? wordOf('marketing.automations.groups', event_group) : (ref ?? '');

const tones: Record<Automation['status'], Tone> = { active: 'arrived', testing: 'attention', inactive: 'quiet' };

export const AutomationState = ({ status }: Pick<Automation, 'status'>) => (
  <State tone={tones[status]} icon={status === 'inactive' ? 'close' : undefined}>
    {t(`marketing.automations.statuses.${status}`)}
  </State>
);
