import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { can } from '../../app/session.ts';
import { number, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { fullDate, Time } from '../../ui/time.tsx';
import { Arms, Results } from './ab-test-results.tsx';
import { TestState } from './ab-tests.tsx';
import { act, only, RecordPage } from './records.tsx';
import { short } from './typed-texts.ts';

type Test = Answer<'listAbTests'>[number];

export default function AbTest({ params: { uuid = '' } }: ViewProps) {
  const test = useResource(uuid, async (signal) => only(await call('listAbTests', { query: { uuid }, signal })));
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
          <TestResults test={found} />
        </RecordPage>
      )}
    </Loaded>
  );
}

function TestResults({ test }: { test: Test }) {
  const { uuid, status, start_date } = test;
  const results = useResource(`${uuid} ${status}`, async (signal) =>
    status === 'scheduled' ? undefined : call('getAbTestResults', { params: { uuid }, signal }),
  );
  if (status === 'scheduled') {
    const date = fullDate(start_date ?? test.created_at);
    return (
      <>
        <p class="card">{t('marketing.abTests.results.scheduled', { date })}</p>
        <Arms test={test} />
      </>
    );
  }
  return (
    <>
      <Loaded
        resource={results}
        tried={t('marketing.abTests.results.tried')}
        waiting={t('marketing.abTests.results.waiting')}
      >
        {(found) => found && <Results test={test} results={found} />}
      </Loaded>
      {results.failure.value !== undefined && results.value.value === undefined && <Arms test={test} />}
    </>
  );
}

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
