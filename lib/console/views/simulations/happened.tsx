import type { Happening } from '#schemas/families/simulations.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { exact } from '../../ui/time.tsx';
import type { Move } from './move.ts';

const icons: Record<Happening['kind'], IconName> = {
  event: 'truck',
  internal_trigger: 'warning',
  automation_run: 'clock',
};

interface HappenedProps {
  move: Move | undefined;
  isMoving: boolean;
}

/** What the last move made happen. Screen readers read it when it is there. */
export const Happened = ({ move, isMoving }: HappenedProps) => (
  <div class="happened stack" role="status">
    <p class={move ? '' : 'muted'}>{sentenceOf(move, isMoving)}</p>
    {move && move.happened.length > 0 && (
      <ol class="timeline">
        {move.happened.map(({ at, kind, title }, i) => (
          <li key={`${at} ${i}`} class="happening">
            <Icon name={icons[kind]} />
            <span>
              <span class="hidden">{wordOf('simulations.happened.kinds', kind)}: </span>
              <bdi>{title}</bdi>
            </span>
            <time class="muted" dateTime={at}>
              {exact(at)}
            </time>
          </li>
        ))}
      </ol>
    )}
    {move && !isMoving && !move.isComplete && <p>{t('simulations.happened.more')}</p>}
  </div>
);

const isNothing = ({ happened, isComplete }: Move, isMoving: boolean) =>
  happened.length === 0 && (isComplete || !isMoving);

function sentenceOf(move: Move | undefined, isMoving: boolean): string {
  if (!move) return t(isMoving ? 'simulations.happened.moving' : 'simulations.happened.notYet');
  if (isNothing(move, isMoving)) return t('simulations.happened.nothing', { time: exact(move.simulation.clock) });
  const values = { count: move.happened.length, time: exact(move.simulation.clock) };
  return t(isMoving && !move.isComplete ? 'simulations.happened.goesOn' : 'simulations.happened.done', values);
}
