import { useResource } from '../../api/resource.ts';
import { href, place, setQuery } from '../../app/router.ts';
import { number, t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DeliveryState } from '../../ui/delivery-state.tsx';
import { deliveryText } from '../../ui/delivery-words.ts';
import { EventPicker } from '../../ui/event-picker.tsx';
import { eventText, filterOptions } from '../../ui/event-refs.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { SelectField, TextInput } from '../../ui/fields.tsx';
import { type Column, Filters, filter, Pager, pageOf, RowLink, Table } from '../../ui/list.tsx';
import { Section } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Url } from '../../ui/url.tsx';
import { endOf, startOf } from '../local-days.ts';
import { AttemptResult } from './attempt-result.tsx';
import { figuresOf } from './delivery-figures.ts';
import { useFollowed } from './followed.ts';
import { LiveTail } from './live-tail.tsx';
import type { Delivery, LogQuery, Target } from './target.ts';

const statuses = ['pending', 'parked', 'delivered', 'failed', 'cancelled'] as const;
const mailStatuses = ['pending', 'parked', 'delivered', 'failed', 'skipped', 'cancelled'] as const;
const filters = ['status', 'event', 'since', 'until'];

/** How many deliveries a page shows. One page replaces another, so a long log does not fill the browser. */
const size = 50;

interface DeliveryLogProps {
  target: Target;
  /** Another number: something was sent, so the list is read again. */
  revision?: number;
}

/** The deliveries of a target, newest first. Filters, page and live tail are in the address. */
export function DeliveryLog({ target, revision = 0 }: DeliveryLogProps) {
  const isLive = filter('live') !== '';
  return (
    <Section
      title={t(target.isMail ? 'deliveries.emails.log' : 'developers.log.title')}
      actions={
        <Button
          aria-pressed={isLive}
          onClick={() => setQuery({ live: isLive ? undefined : 'on', page: undefined }, { replace: false })}
        >
          {t(isLive ? 'developers.log.liveOff' : 'developers.log.liveOn')}
        </Button>
      }
    >
      <LogFilters target={target} />
      {isLive ? (
        <LiveTail key={place.value.query.toString()} target={target} query={queryOf()} columns={columnsOf(target)} />
      ) : (
        <LogPage target={target} revision={revision} />
      )}
    </Section>
  );
}

function queryOf(): LogQuery {
  const [status, event] = ['status', 'event'].map((name) => filter(name) || undefined);
  return { per_page: size, status, event, since: startOf(filter('since')), until: endOf(filter('until')) };
}

function LogPage({ target, revision }: { target: Target; revision: number }) {
  const page = pageOf();
  const query = queryOf();
  const deliveries = useResource(JSON.stringify([page, query]), (signal) =>
    target.deliveries({ ...query, page }, signal),
  );
  useFollowed(deliveries, (rows) => rows, revision);
  return (
    <Loaded resource={deliveries} tried={t('developers.log.tried')}>
      {(rows) => (
        <>
          {rows.length === 0 ? (
            <NoDeliveries target={target} />
          ) : (
            <Table
              caption={t('developers.log.title')}
              columns={columnsOf(target)}
              rows={rows}
              rowKey={({ id }) => id}
              isBusy={deliveries.isLoading.value}
            />
          )}
          <div class="list-foot">
            <Pager shown={rows.length} size={size} />
            {rows.length > 0 && (
              <ExportButton
                name="deliveries"
                columns={columnsOf(target)}
                read={(at, per_page, signal) => target.deliveries({ ...query, page: at, per_page }, signal)}
              />
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}

const NoDeliveries = ({ target: { isMail } }: { target: Target }) =>
  filters.some((name) => filter(name) !== '') ? (
    <Empty
      title={t('developers.log.noneFound')}
      text={t('developers.log.noneFoundText')}
      icon={isMail ? 'mail' : 'link'}
    />
  ) : (
    <Empty
      title={t(isMail ? 'developers.emails.none' : 'developers.log.none')}
      text={t(isMail ? 'developers.emails.noneText' : 'developers.log.noneText')}
      icon={isMail ? 'mail' : 'link'}
    />
  );

function LogFilters({ target: { isMail } }: { target: Target }) {
  return (
    <Filters names={filters}>
      <SelectField
        label={t('developers.log.status')}
        name="status"
        value={filter('status')}
        onValue={() => {}}
        options={[
          { value: '', label: t('common.all') },
          ...(isMail ? mailStatuses : statuses).map((value) => ({
            value,
            label: wordOf(isMail ? 'deliveries.mailStatus' : 'deliveries.status', value),
          })),
        ]}
      />
      <EventPicker
        label={t('developers.log.event')}
        name="event"
        value={filter('event')}
        onValue={() => {}}
        options={filterOptions()}
      />
      <TextInput label={t('developers.log.since')} name="since" type="date" value={filter('since')} />
      <TextInput label={t('developers.log.until')} name="until" type="date" value={filter('until')} />
    </Filters>
  );
}

const lastAnswer = (): Column<Delivery> => ({
  title: t('developers.log.lastAnswer'),
  cell: ({ last_attempt: last }) => (last ? <AttemptResult attempt={last} /> : '–'),
  csv: ({ last_attempt: last }) => last?.error ?? last?.status,
});

const columnsOf = (target: Target): Column<Delivery>[] => [
  {
    title: t('developers.log.event'),
    cell: ({ id, ref }) => (
      <div class="stack tight">
        <RowLink to={href(`${target.path}/deliveries/${id}`)}>{eventText(ref)}</RowLink>
        <span class="muted ref">
          <Url url={ref} />
        </span>
      </div>
    ),
    csv: ({ ref }) => ref,
  },
  {
    title: t('developers.log.status'),
    cell: (delivery) => <DeliveryState delivery={figuresOf(delivery, target.isMail)} />,
    csv: (delivery) => deliveryText(figuresOf(delivery, target.isMail), Date.now()),
  },
  ...(target.isMail ? [] : [lastAnswer()]),
  {
    title: t('developers.log.attempts'),
    isNumber: true,
    cell: ({ total_attempts }) => number(total_attempts),
    csv: ({ total_attempts }) => total_attempts,
  },
  {
    title: t('developers.log.made'),
    cell: ({ created_at }) => <Time at={created_at} />,
    csv: ({ created_at }) => created_at,
  },
];
