import type { AbTestStatus } from '#schemas/families/ab-tests.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, t } from '../../texts/texts.ts';
import { pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State, type Tone } from '../../ui/tone.tsx';
import { ListOf, NewLink, pathOf } from './records.tsx';
import { short } from './typed-texts.ts';

type Row = Answer<'listAbTests'>[number];

export default function AbTests() {
  const page = pageOf();
  const query = { page, per_page: perPage };
  const tests = useResource(JSON.stringify(query), (signal) => call('listAbTests', { query, signal }));
  return (
    <Page title={t('marketing.abTests.title')} actions={can('createAbTest') && <NewLink kind="abTests" />}>
      <p class="muted">{t('marketing.abTests.intro')}</p>
      <Loaded resource={tests} tried={t('marketing.abTests.tried')}>
        {(rows) => (
          <ListOf kind="abTests" rows={rows} isNarrowed={page > 1} mayCreate={can('createAbTest')}>
            <Table caption={t('marketing.abTests.title')} columns={columns()} rows={rows} rowKey={({ uuid }) => uuid} />
          </ListOf>
        )}
      </Loaded>
    </Page>
  );
}

const columns = () => [
  {
    title: t('marketing.name'),
    cell: ({ uuid, name }: Row) => <RowLink to={href(pathOf('abTests', uuid))}>{short(name)}</RowLink>,
  },
  { title: t('marketing.status'), cell: ({ status }: Row) => <TestState status={status} /> },
  { title: t('marketing.segment'), cell: ({ segment }: Row) => short(segment, 40) },
  { title: t('marketing.abTests.variants'), cell: ({ campaigns }: Row) => number(campaigns.length), isNumber: true },
  { title: t('marketing.start'), cell: ({ start_date }: Row) => <Time at={start_date} />, isMinor: true },
  {
    title: t('marketing.end'),
    cell: ({ ended_at, end_date }: Row) => <Time at={ended_at ?? end_date} />,
    isMinor: true,
  },
];

const tones: Record<AbTestStatus, Tone> = { running: 'arrived', scheduled: 'moving', completed: 'quiet' };

export const TestState = ({ status }: { status: AbTestStatus }) => (
  <State tone={tones[status]} icon={status === 'scheduled' ? 'clock' : status === 'completed' ? 'close' : undefined}>
    {t(`marketing.abTests.statuses.${status}`)}
  </State>
);
