import type { AbTestStatus } from '#schemas/families/ab-tests.ts';
import { type Answer, call } from '../../api/client.ts';
import { number, t } from '../../texts/texts.ts';
import type { Column } from '../../ui/list.tsx';
import { Time } from '../../ui/time.tsx';
import { State, tones } from '../../ui/tone.tsx';
import { RecordList } from './record-list.tsx';
import { short } from './typed-texts.ts';

type Row = Answer<'listAbTests'>[number];

export default function AbTests() {
  return (
    <RecordList
      kind="abTests"
      create="createAbTest"
      read={(query, signal) => call('listAbTests', { query, signal })}
      intro={t('marketing.abTests.intro')}
      name={{ title: t('marketing.name'), textOf: ({ name }) => short(name), csv: ({ name }) => name }}
      columns={columns()}
    />
  );
}

const columns = (): Column<Row>[] => [
  {
    title: t('marketing.status'),
    cell: ({ status }) => <TestState status={status} />,
    csv: ({ status }) => t(`marketing.abTests.statuses.${status}`),
  },
  { title: t('marketing.segment'), cell: ({ segment }) => short(segment, 40), csv: ({ segment }) => segment },
  {
    title: t('marketing.abTests.variants'),
    cell: ({ campaigns }) => number(campaigns.length),
    isNumber: true,
    csv: ({ campaigns }) => campaigns.length,
  },
  {
    title: t('marketing.start'),
    cell: ({ start_date }) => <Time at={start_date} isFull />,
    csv: ({ start_date }) => start_date,
  },
  {
    title: t('marketing.end'),
    cell: ({ ended_at, end_date }) => <Time at={ended_at ?? end_date} isFull />,
    csv: ({ ended_at, end_date }) => ended_at ?? end_date,
  },
];

export const TestState = ({ status }: { status: AbTestStatus }) => (
  <State tone={tones.abTest[status]}>{t(`marketing.abTests.statuses.${status}`)}</State>
);
