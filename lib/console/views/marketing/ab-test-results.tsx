import type { AbTestResults, ComparedMetric } from '#schemas/families/ab-tests.ts';
import type { Answer } from '../../api/client.ts';
import { href } from '../../app/router.ts';
import { number, percent, t } from '../../texts/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Column, Table } from '../../ui/list.tsx';
import { Section } from '../../ui/parts.tsx';
import { type Placed, RowChart } from '../../ui/row-chart.tsx';
import { fullDate } from '../../ui/time.tsx';
import { State, tones } from '../../ui/tone.tsx';
import { type Comparison, decidingMetric, endsOf, firstOutcome, sentenceOf } from './ab-test-verdicts.ts';
import { pathOf } from './records.tsx';
import { short } from './typed-texts.ts';

type Test = Answer<'listAbTests'>[number];
type Arm = AbTestResults['arms'][number];

interface ResultsProps {
  test: Test;
  results: AbTestResults;
}

/** How the campaigns of a test did, what that decides, and where the differences may be. */
export function Results({ test, results }: ResultsProps) {
  const deciding = decidingMetric(results);
  const metrics: ComparedMetric[] = deciding === 'reordered' ? ['reordered', 'clicked'] : ['clicked', 'reordered'];
  const drawn = results.srm.ok ? results : { ...results, comparisons: results.comparisons.map(undecided) };
  const isBegun = results.arms.some(({ orders, shown }) => orders + shown > 0);
  return (
    <>
      {isBegun ? (
        <Decision test={test} results={results} />
      ) : (
        <p class="card">{t('marketing.abTests.results.nobody')}</p>
      )}
      {isBegun && metrics.map((metric) => <Picture key={metric} metric={metric} test={test} results={drawn} />)}
      <Arms test={test} results={results} />
    </>
  );
}

/** A split that is not as planned decides nothing. */
const undecided = (comparison: Comparison): Comparison => ({ ...comparison, verdict: 'undecided' });

const nameOf = (test: Test, id: string | null): string => {
  if (id === null) return t('marketing.abTests.results.nothing');
  const name = test.campaigns.find(({ campaign_id }) => campaign_id === id)?.name;
  return name === undefined ? t('marketing.abTests.deletedVariant') : short(name, 60);
};

/** What somebody should do now. */
function Decision({ test, results }: ResultsProps) {
  if (!results.srm.ok) {
    return (
      <div class="warning card" role="alert">
        <Icon name="warning" />
        <div class="stack">
          <p>
            <strong>{t('marketing.abTests.results.srm')}</strong>
          </p>
          <p>{t('marketing.abTests.results.srmText')}</p>
        </div>
      </div>
    );
  }
  const metric = decidingMetric(results);
  const sentences = results.comparisons
    .filter((one) => one.metric === metric)
    .flatMap((one) => sentenceText(test, one) ?? []);
  const isOpen = results.decision === 'undecided';
  return (
    <section class="decision card">
      <State tone={tones.verdict[results.decision]}>
        {t(`marketing.abTests.results.verdicts.${results.decision}`)}
      </State>
      {isOpen && (
        <p class="sentence">
          {t(`marketing.abTests.results.${test.status === 'completed' ? 'endedOpen' : 'keepRunning'}`)}
        </p>
      )}
      {sentences.map((sentence) => (
        <p key={sentence} class={isOpen ? undefined : 'sentence'}>
          {sentence}
        </p>
      ))}
    </section>
  );
}

function sentenceText(test: Test, comparison: Comparison): string | undefined {
  const sentence = sentenceOf(comparison);
  if (!sentence) return undefined;
  const names = { name: nameOf(test, comparison.arm), other: nameOf(test, comparison.against) };
  const { metric } = comparison;
  if (sentence === 'betterThanNothing' || sentence === 'worseThanNothing') {
    // Nobody can follow what is not shown: only coming back is compared with nothing.
    return t(`marketing.abTests.results.reordered.${sentence}`, names);
  }
  return t(`marketing.abTests.results.${metric}.${sentence}`, names);
}

const signed = (share: number): string =>
  number(share * 100, { signDisplay: 'exceptZero', maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** Where each difference may be: a line from the least to the most, and a point at what was seen. */
function Picture({ metric, test, results }: ResultsProps & { metric: ComparedMetric }) {
  const own = results.comparisons.filter((one) => one.metric === metric);
  if (own.length === 0) return null;
  const title = t(`marketing.abTests.results.${metric}.section`);
  if (own.every(({ difference }) => difference === null)) {
    return (
      <Section title={title}>
        <p class="muted">
          {t(`marketing.abTests.results.${metric}.none`, { date: fullDate(dayOf(firstOutcome(test))) })}
        </p>
      </Section>
    );
  }
  const nameOfRow = ({ arm, against }: Comparison) =>
    t('marketing.abTests.results.against', { name: nameOf(test, arm), other: nameOf(test, against) });
  return (
    <Section title={title}>
      <RowChart
        title={messageOf(test, own, metric === decidingMetric(results))}
        axisTitle={t(`marketing.abTests.results.${metric}.axis`)}
        {...endsOf(own)}
        tickLabel={(value) => number(value, { signDisplay: 'exceptZero' })}
        rows={own.map((one) => ({
          key: `${one.arm}`,
          name: nameOfRow(one),
          value: (
            <>
              <State tone={tones.verdict[one.verdict]}>{t(`marketing.abTests.results.verdicts.${one.verdict}`)}</State>
              <span class="range">{rangeText(one)}</span>
            </>
          ),
          draw: (place) => <Interval comparison={one} place={place} />,
        }))}
        note={`${t(`marketing.abTests.results.${metric}.meaning`)} ${t('marketing.abTests.results.holds')}`}
        table={{ columns: comparisonColumns(nameOfRow), rows: own, rowKey: ({ arm }) => `${arm}` }}
      />
    </Section>
  );
}

/** What decides the test is said in a sentence above: then the picture says by how much. */
function messageOf(test: Test, own: readonly Comparison[], isDeciding: boolean): string {
  const { metric } = own[0]!;
  const decided = own.find(({ verdict }) => verdict !== 'undecided');
  if (!decided) return t(`marketing.abTests.results.${metric}.undecided`);
  if (!isDeciding) return sentenceText(test, decided)!;
  const { arm, against, low, high } = decided;
  const ends = { low: signed(low), high: signed(high) };
  return t('marketing.abTests.results.decided', { name: nameOf(test, arm), other: nameOf(test, against), ...ends });
}

const dayOf = (at: Date): Date => new Date(at.getFullYear(), at.getMonth(), at.getDate());

function rangeText({ difference, low, high }: Comparison): string {
  const ends = { low: signed(low), high: signed(high) };
  return difference === null
    ? t('marketing.abTests.results.rangeOnly', ends)
    : t('marketing.abTests.results.range', { difference: signed(difference), ...ends });
}

const Interval = ({ comparison, place }: { comparison: Comparison; place: Placed }) => {
  const { difference, low, high, verdict } = comparison;
  const [start, end] = [place(low * 100), place(high * 100)];
  return (
    <g class={`interval ${verdict}`}>
      <line x1={start} x2={end} y1="50%" y2="50%" />
      <line class="end" x1={start} x2={start} y1="30%" y2="70%" />
      <line class="end" x1={end} x2={end} y1="30%" y2="70%" />
      {difference !== null && <circle cx={place(difference * 100)} cy="50%" r="5" />}
    </g>
  );
};

const comparisonColumns = (name: (row: Comparison) => string): Column<Comparison>[] => {
  const points = (value: number | null) =>
    value === null ? '–' : t('marketing.abTests.results.points', { points: signed(value) });
  return [
    { title: t('marketing.abTests.results.comparison'), cell: name },
    {
      title: t('marketing.abTests.results.difference'),
      cell: ({ difference }) => points(difference),
      isNumber: true,
    },
    { title: t('marketing.abTests.results.from'), cell: ({ low }) => points(low), isNumber: true },
    { title: t('marketing.abTests.results.to'), cell: ({ high }) => points(high), isNumber: true },
    {
      title: t('marketing.abTests.results.verdict'),
      cell: ({ verdict }) => (
        <State tone={tones.verdict[verdict]}>{t(`marketing.abTests.results.verdicts.${verdict}`)}</State>
      ),
    },
  ];
};

/** A group of customers, with what it did as far as that is known. */
interface Group {
  id: string | null;
  share: number;
  arm: Arm | undefined;
}

interface ArmsProps {
  test: Test;
  /** Undefined before the test begins, and if they could not be read. */
  results?: AbTestResults | undefined;
}

/** The groups of customers and what they see. */
export function Arms({ test, results }: ArmsProps) {
  const armOf = (id: string | null) => results?.arms.find(({ campaign_id }) => campaign_id === id);
  const groups: Group[] = [
    ...(test.has_holdout ? [{ id: null, share: test.holdout_percentage ?? 0, arm: armOf(null) }] : []),
    ...test.campaigns.map(({ campaign_id: id, allocation }) => ({ id, share: allocation, arm: armOf(id) })),
  ];
  return (
    <Section title={t('marketing.abTests.results.arms')}>
      <div class="groups">
        <Table
          caption={t('marketing.abTests.results.arms')}
          columns={[...groupColumns(test), ...(results ? armColumns() : [])]}
          rows={groups}
          rowKey={({ id }) => `${id}`}
        />
      </div>
      {results && <p class="help">{t('marketing.abTests.results.armsHelp')}</p>}
    </Section>
  );
}

const groupColumns = (test: Test): Column<Group>[] => [
  {
    title: t('marketing.abTests.results.arm'),
    cell: ({ id }) => {
      if (id === null) return t('marketing.abTests.results.control');
      const name = nameOf(test, id);
      const isThere = test.campaigns.some((one) => one.campaign_id === id && one.name !== undefined);
      return isThere ? <a href={href(pathOf('campaigns', id))}>{name}</a> : name;
    },
  },
  { title: t('marketing.abTests.allocation'), cell: ({ share }) => `${number(share)} %`, isNumber: true },
];

const armColumns = (): Column<Group>[] => {
  const count = (title: string, value: (arm: Arm) => number | null): Column<Group> => ({
    title,
    cell: ({ arm }) => number((arm && value(arm)) ?? 0),
    isNumber: true,
  });
  const rate = (title: string, value: (arm: Arm) => number | null): Column<Group> => ({
    title,
    cell: ({ arm }) => {
      const share = arm ? value(arm) : null;
      return share === null ? '–' : percent(share);
    },
    isNumber: true,
  });
  return [
    count(t('marketing.abTests.results.customers'), ({ orders }) => orders),
    count(t('marketing.abTests.results.observed'), ({ orders_observed }) => orders_observed),
    count(t('marketing.abTests.results.cameBack'), ({ reordered }) => reordered),
    rate(t('marketing.abTests.results.cameBackRate'), ({ rates }) => rates.reordered),
    count(t('marketing.shown'), ({ shown }) => shown),
    count(t('marketing.clicked'), ({ clicked }) => clicked),
    rate(t('marketing.rate'), ({ rates }) => rates.clicked),
  ];
};
