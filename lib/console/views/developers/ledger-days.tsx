import { useSignal } from '@preact/signals';
import { language, number, t } from '../../texts/texts.ts';
import { CopyText } from '../../ui/copy.tsx';
import { dayLabel, noonOf } from '../../ui/days.ts';
import { exact, now } from '../../ui/time.tsx';
import { State, type Tone } from '../../ui/tone.tsx';
import { dayBefore, type LedgerDay, type LedgerHour, sumOf, toneOf } from './ledger-sums.ts';
import { MissingList, useMissing } from './missing.tsx';
import type { Target } from './target.ts';

interface DaysProps {
  days: readonly LedgerDay[];
  /** Of what is open today it is known whether an attempt failed. */
  toneOfToday: Tone;
  target: Target;
  revision: number;
  onSent: () => Promise<unknown>;
}

/** Each day with what was sent, what arrived and what is open. Its hours are shown when it is opened. */
export const LedgerDays = ({ days, ...rest }: DaysProps) => (
  <div class="ledger-days card">
    {days.map((day) => (
      <Day key={day.day} day={day} {...rest} />
    ))}
  </div>
);

type DayProps = Omit<DaysProps, 'days'> & { day: LedgerDay };

function Day({ day, ...rest }: DayProps) {
  const isOpen = useSignal(false);
  const { sent, arrived, open, isCounting } = day;
  const tone = isToday(day) ? rest.toneOfToday : toneOf(day.hours, false);
  return (
    <details
      onToggle={(event) => {
        if (event.target === event.currentTarget) isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        <strong>{dayName(day.day)}</strong>
        <span>{t('developers.ledger.sent', { count: sent })}</span>
        <span>{t('developers.ledger.arrived', { count: arrived })}</span>
        <span class="state-line">
          <State tone={tone}>
            {open === 0 ? t('developers.ledger.nothingOpen') : t('developers.ledger.open', { count: open })}
          </State>
          {isCounting && <span class="muted">{t('developers.ledger.stillCounting')}</span>}
        </span>
      </summary>
      {isOpen.value && <Hours day={day} {...rest} />}
    </details>
  );
}

const isToday = ({ day }: LedgerDay): boolean => day === dayBefore(now.value, 0);

function dayName(day: string): string {
  if (day === dayBefore(now.value, 0)) return t('developers.ledger.today');
  return day === dayBefore(now.value, 1) ? t('developers.ledger.yesterday') : dayLabel(noonOf(day));
}

function Hours({ day, ...rest }: DayProps) {
  return (
    <div class="stack">
      {/* Those of today stand above. */}
      {day.open > 0 && !isToday(day) && <MissingOfDay day={day} {...rest} />}
      <table class="hours">
        <caption class="hidden">{t('developers.ledger.hours', { day: dayName(day.day) })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('developers.ledger.hour')}</th>
            <th scope="col" class="number">
              {t('developers.ledger.sentTitle')}
            </th>
            <th scope="col" class="number">
              {t('developers.ledger.arrivedTitle')}
            </th>
            <th scope="col" class="number">
              {t('developers.ledger.openTitle')}
            </th>
            <th scope="col" class="wide">
              <code>webhook-hour</code>
            </th>
            <th scope="col" class="wide">
              {t('developers.ledger.digest')}
            </th>
          </tr>
        </thead>
        <tbody>
          {day.hours.map((hour) => (
            <Hour key={hour.hour} hour={hour} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MissingOfDay({ day, target, revision, onSent }: DayProps) {
  const missing = useMissing(target, day.hours, revision);
  return <MissingList missing={missing} open={day.open} isToday={false} target={target} onSent={onSent} />;
}

/** The time of day, in the user's own zone. */
export const clockOf = (hour: string): string =>
  new Date(hour).toLocaleTimeString(language.value, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

const shownDigits = 8;

function Hour({ hour: row }: { hour: LedgerHour }) {
  const { hour, digest } = row;
  const { sent, arrived, open, isCounting } = sumOf([row]);
  return (
    <tr>
      <th scope="row">
        {/* Two hours of a day have the same name when summer ends. */}
        <time dateTime={hour} title={exact(hour)}>
          {clockOf(hour)}
        </time>{' '}
        {isCounting && <span class="muted">{t('developers.ledger.stillCounting')}</span>}
      </th>
      <td class="number">{number(sent)}</td>
      <td class="number">{number(arrived)}</td>
      <td class="number">{open > 0 ? <strong>{number(open)}</strong> : number(open)}</td>
      <td class="wide">
        <code>{hour}</code>
      </td>
      <td class="wide">
        <CopyText
          text={digest}
          shown={`${digest.slice(0, shownDigits)}…`}
          label={t('developers.ledger.digestOf', { hour })}
        />
      </td>
    </tr>
  );
}
