import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Simulation } from '#schemas/families/simulations.ts';
import { call, Failure } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FailureBox } from '../../ui/states.tsx';
import { day, exact } from '../../ui/time.tsx';
import { toIso, toLocal } from '../../ui/times.ts';
import { Happened } from './happened.tsx';
import { afterMinutes, atEnd, doneOf, type Goal, isStepLeft, latestTime, type Move, moveTo } from './move.ts';

interface ClockProps {
  simulation: Simulation;
  onMoved: (simulation: Simulation) => void;
  reload: () => Promise<void>;
}

/** The button that was pressed. */
type Pressed = 'step' | 'hour' | 'day' | 'end' | 'time';

/** The time of the simulation, what moves it, and what the last move made happen. */
export function Clock({ simulation, onMoved, reload }: ClockProps) {
  const pressed = useSignal<Pressed | undefined>(undefined);
  const last = useSignal<Move | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const time = useRef<HTMLHeadingElement>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  useReadWhenShown(reload, () => pressed.value === undefined);

  const move = async (button: Pressed, goal: Goal) => {
    if (pressed.value) return;
    pressed.value = button;
    failure.value = undefined;
    last.value = undefined;
    const { signal } = leaving.current;
    try {
      const send = (body: object) => call('advanceSimulation', { params: { uuid: simulation.uuid }, body, signal });
      await moveTo(goal, simulation, send, (progress) => {
        last.value = progress;
        onMoved(progress.simulation);
      });
    } catch (error) {
      if (signal.aborted) return;
      failure.value = error;
      await reload();
    }
    pressed.value = undefined;
    // A button that can do no more has lost the focus.
    requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.matches(':disabled')) time.current?.focus();
    });
  };

  const { clock, steps } = simulation;
  return (
    <section class="card clock stack" aria-label={t('simulations.clock.title')}>
      <div class="clock-head">
        <h2 tabIndex={-1} ref={time}>
          <span class="muted">{t('simulations.clock.title')}</span>
          <time dateTime={clock}>
            <span class="clock-time">{timeOfDay(clock)}</span> <span>{zoneName(clock)}</span> <span>{day(clock)}</span>
          </time>
        </h2>
        <div class="clock-progress">
          <span>{t('simulations.steps.progress', { done: doneOf(simulation), all: steps.length })}</span>
          <progress max={steps.length} value={doneOf(simulation)} aria-label={t('simulations.steps.title')} />
        </div>
      </div>
      {can('advanceSimulation') && <Buttons simulation={simulation} pressed={pressed.value} move={move} />}
      {failure.value !== undefined && <MoveFailure failure={failure.value} reload={reload} />}
      <Happened move={last.value} isMoving={pressed.value !== undefined} />
    </section>
  );
}

/** In the user's own zone, as all times of the console. */
const timeOfDay = (at: string): string =>
  new Date(at).toLocaleTimeString(language.value, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** The tracking page beside the clock has the time of each place, so the clock says whose time it shows. */
const zoneName = (at: string): string | undefined =>
  new Intl.DateTimeFormat(language.value, { timeZoneName: 'short' })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')?.value;

/** Somebody may have moved the clock in another tab. */
function useReadWhenShown(read: () => unknown, isIdle: () => boolean): void {
  useEffect(() => {
    const onShown = () => {
      if (document.visibilityState === 'visible' && isIdle()) read();
    };
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, []);
}

interface ButtonsProps {
  simulation: Simulation;
  pressed: Pressed | undefined;
  move: (button: Pressed, goal: Goal) => void;
}

function Buttons({ simulation, pressed, move }: ButtonsProps) {
  const isPossible = (to: string) => to <= latestTime(simulation);
  const button = (name: Exclude<Pressed, 'time'>, goal: Goal, isOpen: boolean) => (
    <Button
      kind={name === 'step' ? 'main' : 'quiet'}
      isBusy={pressed === name}
      disabled={!isOpen || (pressed !== undefined && pressed !== name)}
      onClick={() => move(name, goal)}
    >
      {t(`simulations.clock.${name}`)}
    </Button>
  );
  const [hour, tomorrow] = [afterMinutes(simulation, 60), afterMinutes(simulation, 24 * 60)];
  return (
    <div class="clock-moves">
      <div class="actions">
        {button('step', { done: doneOf(simulation) + 1 }, isStepLeft(simulation))}
        {button('hour', { to: hour }, isPossible(hour))}
        {button('day', { to: tomorrow }, isPossible(tomorrow))}
        {button('end', { to: atEnd(simulation) }, isStepLeft(simulation))}
      </div>
      <ToTime simulation={simulation} pressed={pressed} move={move} />
    </div>
  );
}

/** A field of minutes: the minute of the clock itself counts as now. */
function ToTime({ simulation, pressed, move }: ButtonsProps) {
  const chosen = useSignal('');
  const fault = useSignal<string | undefined>(undefined);
  const submit = () => {
    const { clock } = simulation;
    const to = toLocal(clock) === chosen.value ? clock : toIso(chosen.value);
    fault.value = faultOf(to, simulation);
    if (fault.value === undefined) move('time', { to });
  };
  return (
    <form
      class="to-time"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        name="to"
        type="datetime-local"
        label={t('simulations.clock.to')}
        min={toLocal(simulation.clock)}
        max={toLocal(latestTime(simulation))}
        value={chosen.value}
        fault={fault.value}
        onValue={(value) => {
          chosen.value = value;
        }}
      />
      <Button type="submit" isBusy={pressed === 'time'} disabled={pressed !== undefined && pressed !== 'time'}>
        {t('simulations.clock.time')}
      </Button>
    </form>
  );
}

function faultOf(to: string, simulation: Simulation): string | undefined {
  if (to === '') return t('simulations.clock.noTime');
  if (to < simulation.clock) return t('simulations.clock.tooEarly');
  const latest = latestTime(simulation);
  return to > latest ? t('simulations.clock.tooLate', { time: exact(latest) }) : undefined;
}

/** The clock shows by now where it is, so what to do next depends on why it did not move. */
function MoveFailure({ failure, reload }: { failure: unknown; reload: () => Promise<void> }) {
  const key = failure instanceof Failure ? failure.key : '';
  return (
    <FailureBox failure={failure} tried={t('simulations.clock.tried')}>
      {key === 'simulation_ended' && can('startSimulation') ? (
        <a class="button quiet" href={href(inShop('/simulations/new'))}>
          {t('simulations.start.another')}
        </a>
      ) : (
        <Button onClick={() => reload()}>{t('simulations.clock.readAgain')}</Button>
      )}
    </FailureBox>
  );
}
