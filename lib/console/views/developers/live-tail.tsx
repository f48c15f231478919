import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../../api/client.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, Table } from '../../ui/list.tsx';
import { Empty, textOf, Waiting } from '../../ui/states.tsx';
import { now } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { joined, keepReading } from './live-reading.ts';
import type { Delivery, LogQuery, Target } from './target.ts';

const everyMs = 2000;

const ended = new Set(['session_required', 'invalid_merchant_or_key']);

const isSessionOver = (error: unknown) => error instanceof Failure && (error.status === 401 || ended.has(error.key));

interface LiveTailProps {
  target: Target;
  query: LogQuery;
  columns: readonly Column<Delivery>[];
}

/** The newest deliveries as they arrive. It reads nothing while its tab is hidden. */
export function LiveTail({ target, query, columns }: LiveTailProps) {
  const rows = useSignal<readonly Delivery[] | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  const reading = useRef<ReturnType<typeof keepReading> | undefined>(undefined);
  useEffect(() => {
    const own = keepReading({
      read: async (signal) => {
        rows.value = joined(rows.value ?? [], await target.deliveries(query, signal), query.per_page);
        failure.value = undefined;
        // What has just arrived is not in the future.
        now.value = Date.now();
      },
      onFailure: (error) => {
        failure.value = error;
      },
      isFinal: isSessionOver,
      mayRead: () => !document.hidden,
      everyMs,
    });
    reading.current = own;
    const wake = () => {
      if (!document.hidden) own.wake();
    };
    document.addEventListener('visibilitychange', wake);
    return () => {
      own.stop();
      document.removeEventListener('visibilitychange', wake);
    };
  }, []);
  return (
    <div class="stack">
      <p role="status">
        {failure.value === undefined ? (
          <State tone="moving" icon="clock">
            {t('developers.log.live')}
          </State>
        ) : (
          <>
            <State tone="failed">{t('developers.log.liveFails', { reason: textOf(failure.value) })}</State>{' '}
            <Button kind="plain" onClick={() => reading.current?.wake()}>
              {t('failure.retry')}
            </Button>
          </>
        )}
      </p>
      <Rows rows={rows.value} columns={columns} />
    </div>
  );
}

function Rows({ rows, columns }: { rows: readonly Delivery[] | undefined; columns: readonly Column<Delivery>[] }) {
  if (!rows) return <Waiting />;
  if (rows.length === 0)
    return <Empty title={t('developers.log.waiting')} text={t('developers.log.waitingText')} icon="link" />;
  return <Table caption={t('developers.log.title')} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
