import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Table } from '../../ui/list.tsx';
import { Facts, Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { TestState } from './ab-tests.tsx';
import { rateOf } from './campaigns.tsx';
import { act, only, pathOf, RecordPage } from './records.tsx';
import { short } from './typed-texts.ts';

type Test = Answer<'listAbTests'>[number];
type Variant = Test['campaigns'][number];

export default function AbTest({ params: { uuid = '' } }: ViewProps) {
  const test = useResource(uuid, async (signal) =>
    only(await call('listAbTests', { query: { uuid, counts: true }, signal })),
  );
  return (
    <Loaded resource={test} tried={t('marketing.abTests.triedOne')}>
      {(found) => (
        <RecordPage
          kind="abTests"
          title={short(found.name)}
          state={<TestState status={found.status} />}
          actions={can('endAbTest') && found.status !== 'completed' && <EndButton test={found} onEnded={test.reload} />}
        >
          <Facts
            facts={[
              [t('marketing.segment'), short(found.segment)],
              [t('marketing.type'), t(`marketing.campaigns.types.${found.campaign_type}`)],
              [t('marketing.start'), <Time key="start" at={found.start_date} isFull />],
              [t('marketing.end'), <Time key="end" at={found.ended_at ?? found.end_date} isFull />],
              [t('marketing.abTests.holdout'), `${number(found.holdout_percentage ?? 0)} %`],
            ]}
          />
          <Section title={t('marketing.abTests.variants')}>
            <Table
              caption={t('marketing.abTests.variants')}
              columns={columns()}
              rows={found.campaigns}
              rowKey={({ campaign_id }) => campaign_id}
            />
            <p class="help">{t('marketing.abTests.countsHelp')}</p>
          </Section>
        </RecordPage>
      )}
    </Loaded>
  );
}

const columns = () => [
  {
    title: t('marketing.campaigns.one'),
    cell: ({ campaign_id, name }: Variant) =>
      name === undefined ? (
        t('marketing.abTests.deletedVariant')
      ) : (
        <a href={href(pathOf('campaigns', campaign_id))}>{short(name)}</a>
      ),
  },
  {
    title: t('marketing.abTests.allocation'),
    cell: ({ allocation }: Variant) => `${number(allocation)} %`,
    isNumber: true,
  },
  { title: t('marketing.shown'), cell: ({ counts }: Variant) => number(counts?.shown ?? 0), isNumber: true },
  { title: t('marketing.clicked'), cell: ({ counts }: Variant) => number(counts?.clicked ?? 0), isNumber: true },
  { title: t('marketing.rate'), cell: ({ counts }: Variant) => rateOf(counts), isNumber: true },
];

function EndButton({ test, onEnded }: { test: Test; onEnded: () => Promise<void> }) {
  const { uuid, name, updated_at: ifMatch } = test;
  const ask = async () => {
    const isSure = await confirm({
      title: t('marketing.abTests.endTitle', { name: short(name) }),
      text: t('marketing.abTests.endText'),
      action: t('marketing.abTests.end'),
    });
    if (!isSure) return;
    await act(() => call('endAbTest', { params: { uuid }, ifMatch }), t('marketing.abTests.ended'));
    await onEnded();
  };
  return (
    <Button kind="danger" onClick={ask}>
      {t('marketing.abTests.end')}
    </Button>
  );
}
