import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { feedLimits } from '#schemas/catalogues/limits.ts';
import { call, Failure } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { notify } from '../../ui/notices.tsx';
import { Section } from '../../ui/parts.tsx';
import { Loaded, textOf } from '../../ui/states.tsx';
import { now } from '../../ui/time.tsx';
import { type Tone, toneIcons } from '../../ui/tones.ts';
import { startOf } from '../local-days.ts';
import { clockOf, LedgerDays } from './ledger-days.tsx';
import {
  dayBefore,
  daysOf,
  type LedgerDay,
  type LedgerHour,
  localDay,
  sumOf,
  todaySentence,
  toneOf,
} from './ledger-sums.ts';
import { hasFailed, MissingList, useMissing } from './missing.tsx';
import type { Target } from './target.ts';

const fewDays = 7;

/** The guide that says how a receiver compares what it has. A test holds the address against the guide's title. */
const guide = '/docs/guides#prove-that-nothing-is-missing';

interface LedgerProps {
  uuid: string;
  target: Target;
  /** Another number: something was sent, so it is read again. */
  revision: number;
  onSent: () => Promise<unknown>;
}

/** Whether all that was to be sent to an endpoint has arrived, today and day by day. */
export function Ledger({ uuid, target, revision, onSent }: LedgerProps) {
  const days = useSignal(fewDays);
  const from = startOf(dayBefore(now.value, days.value - 1))!;
  const ledger = useResource(`${uuid} ${from}`, (signal) => read(uuid, from, signal));
  useReadAgain(ledger, revision);
  const onMore = () => {
    days.value = feedLimits.days;
  };
  return (
    <Section title={t('developers.ledger.title')}>
      <KeepsFocus>
        <Loaded resource={ledger} tried={t('developers.ledger.tried')}>
          {(hours) =>
            hours === 'off' ? (
              <FeedOff onSwitched={ledger.reload} />
            ) : (
              <Counted
                hours={hours}
                count={days.value}
                onMore={onMore}
                target={target}
                revision={revision}
                onSent={onSent}
              />
            )
          }
        </Loaded>
      </KeepsFocus>
    </Section>
  );
}

/** The hours of some days. A zone may begin its days in the middle of an hour of UTC, which is then one of the day before. */
async function read(endpoint: string, from: string, signal: AbortSignal): Promise<LedgerHour[] | 'off'> {
  try {
    const hours = await call('getEventLedger', { query: { endpoint, from }, signal });
    return hours.filter(({ hour }) => Date.parse(hour) >= Date.parse(from));
  } catch (error) {
    if (error instanceof Failure && error.key === 'feed_off') return 'off';
    throw error;
  }
}

const everyMs = 30_000;

/** An answer is counted some seconds after it came. */
const soonMs = [0, 3000, 10_000];

/** Reads again after something was sent, and now and then. In a hidden tab it waits. */
function useReadAgain(ledger: Resource<LedgerHour[] | 'off'>, revision: number): void {
  const first = useRef(revision);
  useEffect(() => {
    const again = () => {
      if (!document.hidden && !ledger.isLoading.value && ledger.value.value !== 'off') ledger.reload();
    };
    const soon = revision === first.current ? [] : soonMs.map((ms) => setTimeout(again, ms));
    const timer = setInterval(again, everyMs);
    return () => {
      clearInterval(timer);
      for (const one of soon) clearTimeout(one);
    };
  }, [revision]);
}

/** A button may be gone with what it did, such as a delivery that has arrived. The answer to what was asked takes its focus. */
function KeepsFocus({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const seen = new MutationObserver(() => {
      if (!last.current || last.current.isConnected) return;
      last.current = null;
      if (document.activeElement === document.body) box.current?.querySelector<HTMLElement>('[data-answer]')?.focus();
    });
    seen.observe(box.current!, { childList: true, subtree: true });
    return () => seen.disconnect();
  }, []);
  return (
    <div
      ref={box}
      class="stack"
      onFocusIn={(event) => {
        last.current = event.target as Element;
      }}
    >
      {children}
    </div>
  );
}

interface CountedProps {
  hours: readonly LedgerHour[];
  /** How many days were looked at. */
  count: number;
  onMore: () => void;
  target: Target;
  revision: number;
  onSent: () => Promise<unknown>;
}

function Counted({ hours, count, onMore, target, revision, onSent }: CountedProps) {
  const days = daysOf(hours);
  const today = days.find(({ day }) => day === localDay(now.value));
  const missing = useMissing(target, today?.hours ?? [], revision);
  const tone = toneOf(today?.hours ?? [], hasFailed(missing.value.value));
  return (
    <>
      <div class="card stack">
        <Answer day={today} tone={tone} />
        {today && today.open > 0 && (
          <MissingList missing={missing} open={today.open} isToday target={target} onSent={onSent} />
        )}
      </div>
      <div class="stack">
        <h3>{t('developers.ledger.days', { count })}</h3>
        {days.length === 0 ? (
          <p class="muted">{t('developers.ledger.noDays')}</p>
        ) : (
          <LedgerDays days={days} toneOfToday={tone} target={target} revision={revision} onSent={onSent} />
        )}
        {count < feedLimits.days && (
          <p>
            <Button onClick={onMore}>{t('developers.ledger.moreDays', { count: feedLimits.days })}</Button>
          </p>
        )}
      </div>
      <Proof />
    </>
  );
}

/** The one sentence that answers the question of the title. */
function Answer({ day, tone }: { day: LedgerDay | undefined; tone: Tone }) {
  const { name, values } = todaySentence(day ?? sumOf([]));
  const counting = (day?.hours ?? []).filter(({ settled }) => !settled).map(({ hour }) => hour);
  return (
    <>
      <p class={`answer ${tone}`} tabIndex={-1} data-answer>
        <Icon name={toneIcons[tone]} />
        <span>{t(`developers.ledger.${name}`, values)}</span>
      </p>
      {counting.length > 0 && (
        <p class="muted">
          {t('developers.ledger.counting', { count: counting.length, time: clockOf(counting.sort()[0]!) })}
        </p>
      )}
    </>
  );
}

/** What the figures mean, and what they do not. */
const Proof = () => (
  <p class="muted">
    {t('developers.ledger.proof')} <GuideLink>{t('developers.ledger.guide')}</GuideLink>
    {can('updateEventSettings') && (
      <>
        {' · '}
        <a href={href(inShop('/settings/services'))}>{t('developers.ledger.settings')}</a>
      </>
    )}
  </p>
);

const GuideLink = ({ children }: { children: string }) => (
  <a href={guide} target="_blank" rel="noreferrer">
    {children}
  </a>
);

function FeedOff({ onSwitched }: { onSwitched: () => Promise<void> }) {
  const isBusy = useSignal(false);
  const switchOn = async () => {
    isBusy.value = true;
    try {
      await call('updateEventSettings', { body: { feed_enabled: true } });
      notify(t('developers.ledger.isOn'));
      await onSwitched();
    } catch (failure) {
      notify(textOf(failure), 'failed');
    }
    isBusy.value = false;
  };
  return (
    <div class="card stack">
      <p>{t('developers.ledger.off')}</p>
      <div class="actions">
        {can('updateEventSettings') && (
          <Button onClick={switchOn} isBusy={isBusy.value}>
            {t('developers.ledger.switchOn')}
          </Button>
        )}
        <GuideLink>{t('developers.ledger.readHow')}</GuideLink>
      </div>
    </div>
  );
}
