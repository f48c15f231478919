import type { Happening } from '#schemas/families/simulations.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { eventWords } from '../../ui/shipment-events.ts';
import { exact } from '../../ui/time.tsx';
import { hasParcels, type Move } from './move.ts';

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
        {move.happened.map(({ at, kind, ...what }, i) => (
          <li key={`${at} ${i}`} class="happening">
            <Icon name={icons[kind]} />
            <span>
              <span class="hidden">{wordOf('simulations.happened.kinds', kind)}: </span>
              <bdi>{titleOf(what, move)}</bdi>
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

/** The service does not know the language that was chosen here. */
function titleOf(
  { title, event_name, parcel }: Pick<Happening, 'title' | 'event_name' | 'parcel'>,
  move: Move,
): string {
  if (event_name === null || parcel === null) return title;
  const { steps } = move.simulation;
  const isReturn = steps.some((step) => step.parcel === parcel && step.is_return);
  const words = eventWords(event_name, isReturn);
  return hasParcels(steps) ? `${t('simulations.steps.parcel', { number: parcel })}: ${words}` : words;
}

const isNothing = ({ happened, isComplete }: Move, isMoving: boolean) =>
  happened.length === 0 && (isComplete || !isMoving);

function sentenceOf(move: Move | undefined, isMoving: boolean): string {
  if (!move) return t(isMoving ? 'simulations.happened.moving' : 'simulations.happened.notYet');
  if (isNothing(move, isMoving)) return t('simulations.happened.nothing', { time: exact(move.simulation.clock) });
  const values = { count: move.happened.length, time: exact(move.simulation.clock) };
  return t(isMoving && !move.isComplete ? 'simulations.happened.goesOn' : 'simulations.happened.done', values);
}
