import type { Simulation } from '#schemas/families/simulations.ts';
import { language, t } from '../../texts/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { eventWords } from '../../ui/shipment-events.ts';
import { exact } from '../../ui/time.tsx';
import { doneOf, hasParcels } from './move.ts';

type Step = Simulation['steps'][number];

/** The script: what has happened, what happens next, and when. */
export function Steps({ simulation }: { simulation: Simulation }) {
  const { steps } = simulation;
  const next = doneOf(simulation);
  return (
    <ol class="card steps">
      {steps.map((step, i) => (
        <li
          key={`${step.at} ${i}`}
          class={step.done ? 'done' : i === next ? 'next' : ''}
          aria-current={i === next ? 'step' : undefined}
        >
          {step.done ? <Icon name="check" /> : <span class="number-mark">{i + 1}</span>}
          <span>
            {eventWords(step.event_name, step.is_return)}
            {hasParcels(steps) && <span class="muted"> {t('simulations.steps.parcel', { number: step.parcel })}</span>}
            {step.is_return && <span class="muted"> {t('simulations.steps.return')}</span>}
          </span>
          <span class={step.done || i === next ? 'step-state' : 'hidden'}>
            {t(`simulations.steps.${stateOf(step, i === next)}`)}
          </span>
          <time class="muted" dateTime={step.at} title={exact(step.at)}>
            {shortTime(step.at)}
          </time>
        </li>
      ))}
    </ol>
  );
}

const stateOf = ({ done }: Step, isNext: boolean) => (done ? 'done' : isNext ? 'next' : 'later');

const shortTime = (at: string): string =>
  new Date(at).toLocaleString(language.value, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
