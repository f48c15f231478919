import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../texts/texts.ts';
import { type Column, Table } from '../../ui/list.tsx';
import { Empty, textOf, Waiting } from '../../ui/states.tsx';
import { now } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import type { Delivery, LogQuery, Target } from './target.ts';

const everyMs = 2000;

/** More than anybody reads while more arrive. */
const maxRows = 200;

interface LiveTailProps {
  target: Target;
  query: LogQuery;
  columns: readonly Column<Delivery>[];
}

/** The newest deliveries as they arrive. It reads nothing while its tab is hidden. */
export function LiveTail({ target, query, columns }: LiveTailProps) {
  const rows = useSignal<readonly Delivery[] | undefined>(undefined);
  const failure = useSignal<unknown>(undefined);
  useEffect(() => {
    const own = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      if (!document.hidden) {
        try {
          rows.value = joined(rows.value ?? [], await target.deliveries(query, own.signal));
          failure.value = undefined;
          // What has just arrived is not in the future.
          now.value = Date.now();
        } catch (error) {
          if (!own.signal.aborted) failure.value = error;
        }
      }
      if (!own.signal.aborted) timer = setTimeout(read, everyMs);
    };
    const wake = () => {
      if (document.hidden) return;
      clearTimeout(timer);
      read();
    };
    read();
    document.addEventListener('visibilitychange', wake);
    return () => {
      own.abort();
      clearTimeout(timer);
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
          <State tone="failed">{t('developers.log.liveFails', { reason: textOf(failure.value) })}</State>
        )}
      </p>
      <Rows rows={rows.value} columns={columns} />
    </div>
  );
}

function Rows({ rows, columns }: { rows: readonly Delivery[] | undefined; columns: readonly Column<Delivery>[] }) {
  if (!rows) return <Waiting />;
  if (rows.length === 0)
    return <Empty title={t('developers.log.waiting')} text={t('developers.log.waitingText')} icon="clock" />;
  return <Table caption={t('developers.log.title')} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

/** What was read replaces what was known of the same deliveries. Newest first, as the ids sort. */
function joined(known: readonly Delivery[], read: readonly Delivery[]): Delivery[] {
  const byId = new Map([...known, ...read].map((delivery) => [delivery.id, delivery]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, maxRows);
}
