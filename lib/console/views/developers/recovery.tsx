import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TimeField } from '../../ui/fields.tsx';
import { FailureBox } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import type { Health, Target } from './target.ts';

/** The service keeps deliveries for 30 days. */
const keptMs = 30 * 24 * 3_600_000;

interface RecoveryProps {
  target: Target;
  health: Health | undefined;
  onDone: () => Promise<unknown>;
}

/** Sends the failed deliveries of a time range again, all of them, however many calls that takes. */
export function Recovery({ target, health, onDone }: RecoveryProps) {
  const isOpen = useSignal(false);
  const hasFailed = health !== undefined && health.counts.failed + health.counts.parked > 0;
  return (
    <>
      <Button
        kind={hasFailed ? 'main' : 'quiet'}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {t('developers.recovery.open')}
      </Button>
      {isOpen.value && (
        <RecoveryDialog
          target={target}
          onClose={() => {
            isOpen.value = false;
            onDone();
          }}
        />
      )}
    </>
  );
}

const maxTries = 3;

/** Repeats a call whose answer did not come: what it has sent again already is no longer among the failed ones. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      const isOver = error instanceof Failure && error.kind === 'api' && error.status < 500;
      if (isOver || tries === maxTries) throw error;
    }
  }
}

interface Progress {
  count: number;
  /** Those that are tried again by themselves. */
  retrying: number;
  /** The time of the oldest delivery that was looked at. */
  reached: string | undefined;
  state: 'running' | 'done' | 'stopped';
}

function RecoveryDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const since = useSignal(new Date(Date.now() - keptMs).toISOString());
  const until = useSignal('');
  const progress = useSignal<Progress | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const isStopped = useRef(false);
  const result = useRef<HTMLDivElement>(null);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );

  const run = async () => {
    isStopped.current = false;
    failure.value = undefined;
    let { count = 0, retrying = 0, reached } = progress.value ?? {};
    reached ??= until.value || undefined;
    const show = (state: Progress['state']) => {
      progress.value = { count, retrying, reached, state };
    };
    show('running');
    result.current?.focus();
    try {
      for (;;) {
        const answer = await patiently(() =>
          target.recover({ since: since.value, ...(reached && { until: reached }) }),
        );
        count += answer.count;
        retrying += answer.retrying;
        // The same time again without a delivery would go on for ever.
        const isStuck = answer.count === 0 && answer.until === reached;
        reached = answer.until ?? reached;
        if (!answer.has_more || isStuck) return show('done');
        if (isStopped.current) return show('stopped');
        show('running');
      }
    } catch (error) {
      failure.value = error;
      show('stopped');
    }
  };

  const { value: now } = progress;
  return (
    <Dialog title={t('developers.recovery.title')} onClose={onClose}>
      {!now && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            run();
          }}
        >
          <p>{t('developers.recovery.text')}</p>
          <div class="fields">
            <TimeField
              label={t('developers.recovery.since')}
              name="since"
              value={since.value}
              onValue={(value) => {
                since.value = value;
              }}
            />
            <TimeField
              label={t('developers.recovery.until')}
              help={t('developers.recovery.untilHelp')}
              isOptional
              name="until"
              value={until.value}
              onValue={(value) => {
                until.value = value;
              }}
            />
          </div>
          <div class="actions">
            <Button kind="main" type="submit" disabled={since.value === ''}>
              {t('developers.recovery.start')}
            </Button>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
          </div>
        </form>
      )}
      <div ref={result} tabIndex={-1} role="status" class="stack">
        {now && <Result progress={now} />}
      </div>
      {failure.value !== undefined && (
        <FailureBox failure={failure.value} tried={t('developers.recovery.tried')} retry={run} />
      )}
      {now && (
        <div class="actions">
          {now.state === 'running' ? (
            <Button
              onClick={() => {
                isStopped.current = true;
              }}
            >
              {t('developers.recovery.stop')}
            </Button>
          ) : (
            <Button kind="main" onClick={onClose}>
              {t('common.close')}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** What is tried again by itself has failed so far, and is left alone. */
function endOf(count: number, retrying: number) {
  if (count > 0) return 'developers.recovery.done';
  return retrying > 0 ? 'developers.recovery.nothingGivenUp' : 'developers.recovery.nothing';
}

const Result = ({ progress: { count, retrying, reached, state } }: { progress: Progress }) => (
  <>
    <p class="recovery-count">
      {state === 'running' && <span class="spinner" aria-hidden="true" />} {t('developers.recovery.count', { count })}
    </p>
    {state === 'done' && <p>{t(endOf(count, retrying))}</p>}
    {retrying > 0 && <p>{t('developers.recovery.retrying', { count: retrying })}</p>}
    {state !== 'done' && reached && (
      <p class="muted">
        {t('developers.recovery.reached')} <Time at={reached} />
      </p>
    )}
  </>
);
