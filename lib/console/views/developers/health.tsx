import type { ComponentChildren } from 'preact';
import { number, percent, t } from '../../texts/texts.ts';
import { type Fact, Facts } from '../../ui/parts.tsx';
import { Time } from '../../ui/time.tsx';
import { State, type Tone, tones } from '../../ui/tone.tsx';
import type { Delivery, Health } from './target.ts';

/** How a target does, in one word. */
function overall({ circuit, success_rate }: Health): { tone: Tone; text: string } {
  if (circuit.state === 'open') return { tone: 'failed', text: t('developers.health.notAnswering') };
  if (circuit.state === 'draining') return { tone: 'attention', text: t('developers.health.catchingUp') };
  if (success_rate === null) return { tone: 'quiet', text: t('developers.health.nothingYet') };
  const tone = rateTone(success_rate);
  if (tone === 'failed') return { tone, text: t('developers.health.failing') };
  return { tone, text: t(tone === 'attention' ? 'developers.health.someFail' : 'developers.health.healthy') };
}

const rateTone = (rate: number): Tone => (rate >= 0.95 ? 'arrived' : rate >= 0.5 ? 'attention' : 'failed');

export const Overall = ({ health }: { health: Health }) => {
  const { tone, text } = overall(health);
  return <State tone={tone}>{text}</State>;
};

export const SuccessRate = ({ health: { success_rate: rate } }: { health: Health }): ComponentChildren =>
  rate === null ? '–' : <State tone={rateTone(rate)}>{t('developers.health.succeed', { rate: percent(rate) })}</State>;

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

export const Circuit = ({ health: { circuit } }: { health: Health }) => (
  <State tone={tones.circuit[circuit.state]}>{t(`developers.health.circuit.${circuit.state}`)}</State>
);

const statuses = ['delivered', 'pending', 'parked', 'failed', 'cancelled'] as const;

export function HealthFacts({ health }: { health: Health }) {
  const { circuit, counts, of_last, last_failure, last_success_at } = health;
  const facts: (Fact | false)[] = [
    [t('developers.health.rate'), <SuccessRate key="rate" health={health} />],
    [
      t('developers.health.answers'),
      <>
        <Latency health={health} /> <LatencyFigures health={health} />
      </>,
    ],
    [t('developers.health.sending'), <Circuit key="circuit" health={health} />],
    circuit.state !== 'closed' && [t('developers.health.since'), <Time key="since" at={circuit.since} />],
    circuit.state !== 'closed' && [t('developers.health.nextTry'), <Time key="next" at={circuit.next_attempt_at} />],
    [t('developers.health.lastSuccess'), <Time key="success" at={last_success_at} />],
    [
      t('developers.health.lastFailure'),
      last_failure && (
        <>
          <code>{last_failure.error}</code> <Time at={last_failure.at} />
        </>
      ),
    ],
  ];
  return (
    <>
      <Facts facts={facts} />
      <p class="muted">
        {t('developers.health.ofLast', { count: of_last })}{' '}
        {statuses
          .filter((status) => counts[status] > 0)
          .map((status) => `${t(`developers.status.${status}`)}: ${number(counts[status])}`)
          .join(' · ')}
      </p>
    </>
  );
}

export const DeliveryStatus = ({ status }: { status: Delivery['status'] }) => (
  <State tone={tones.delivery[status]}>{t(`developers.status.${status}`)}</State>
);
