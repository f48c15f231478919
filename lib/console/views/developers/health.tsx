import type { ComponentChildren } from 'preact';
import { number, percent, t } from '../../texts/texts.ts';
import { failedText } from '../../ui/delivery-words.ts';
import { figuresOf, sendingOf } from '../../ui/health.ts';
import { HealthState } from '../../ui/health-state.tsx';
import { type Fact, Facts } from '../../ui/parts.tsx';
import { Time } from '../../ui/time.tsx';
import { State, type Tone } from '../../ui/tone.tsx';
import type { Health } from './target.ts';

export const Overall = ({ health }: { health: Health }) => <HealthState figures={figuresOf(health)} />;

/** A figure without a tone of its own: the word beside it has one. */
export const SuccessRate = ({ health: { success_rate: rate } }: { health: Health }): ComponentChildren =>
  rate === null ? '–' : t('developers.health.succeed', { rate: percent(rate) });

/** An answer is awaited for ten seconds. */
const latencyTone = (ms: number): Tone => (ms < 2000 ? 'arrived' : ms < 8000 ? 'attention' : 'failed');

const latencyWords = {
  arrived: 'developers.health.fast',
  attention: 'developers.health.slow',
  failed: 'developers.health.verySlow',
} as const;

export const Latency = ({ health: { latency_ms } }: { health: Health }): ComponentChildren => {
  const { p95 } = latency_ms;
  if (p95 === null) return '–';
  const tone = latencyTone(p95) as keyof typeof latencyWords;
  return (
    <State tone={tone} icon="clock">
      {t(latencyWords[tone])}
    </State>
  );
};

function LatencyFigures({ health: { latency_ms } }: { health: Health }) {
  const { p50, p95 } = latency_ms;
  if (p50 === null || p95 === null) return null;
  return <span class="muted">{t('developers.health.latency', { p50: number(p50), p95: number(p95) })}</span>;
}

/** What waits: for the next attempt, or until the receiver answers again. */
export const Waiting = ({ health: { retrying, counts } }: { health: Health }): ComponentChildren => {
  const parts = [
    retrying > 0 && t('developers.health.retrying', { count: retrying }),
    counts.parked > 0 && t('developers.health.parked', { count: counts.parked }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? t('developers.health.nothingWaits') : parts.join(', ');
};

/** Whether deliveries go out, since when not, what that means, and what happens next. */
function Sending({ health }: { health: Health }) {
  const { circuit } = health;
  const { word, tone } = sendingOf(figuresOf(health));
  return (
    <div class="stack tight">
      <p>
        <State tone={tone}>{t(`developers.health.sending.${word}`)}</State>{' '}
        {circuit.since !== null && (
          <span class="muted">
            {t('developers.health.since')} <Time at={circuit.since} />
          </span>
        )}
      </p>
      <p>{t(`developers.health.meaning.${word}`)}</p>
      {circuit.state === 'open' && circuit.next_attempt_at !== null && (
        <p class="muted">
          {t('developers.health.nextProbe')} <Time at={circuit.next_attempt_at} />
        </p>
      )}
    </div>
  );
}

export function HealthFacts({ health }: { health: Health }) {
  const { of_last, last_failure, last_success_at } = health;
  const facts: Fact[] = [
    [t('developers.health.rate'), <SuccessRate key="rate" health={health} />],
    [t('developers.health.waits'), <Waiting key="waits" health={health} />],
    [
      t('developers.health.answers'),
      <>
        <Latency health={health} /> <LatencyFigures health={health} />
      </>,
    ],
    [t('developers.health.lastSuccess'), <Time key="success" at={last_success_at} />],
    [
      t('developers.health.lastFailure'),
      last_failure && (
        <>
          {failedText(last_failure.error)} <Time at={last_failure.at} />
        </>
      ),
    ],
  ];
  return (
    <>
      <Sending health={health} />
      <Facts facts={facts} />
      {of_last > 0 && <p class="muted">{t('developers.health.ofLast', { count: of_last })}</p>}
    </>
  );
}
