import { useSignal } from '@preact/signals';
import { type Resource, useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { DeliveryState } from '../../ui/delivery-state.tsx';
import { deliveryWord } from '../../ui/delivery-word.ts';
import { eventText } from '../../ui/event-refs.ts';
import { type Column, RowLink, Table } from '../../ui/list.tsx';
import { notify } from '../../ui/notices.tsx';
import { Loaded, textOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { figuresOf } from './delivery-figures.ts';
import { useFollowed } from './followed.ts';
import { countedIn, type LedgerHour, openRange, sumOf, unlogged } from './ledger-sums.ts';
import type { Delivery, Target } from './target.ts';

/** What a delivery can be that has not arrived. */
const notArrived = ['failed', 'parked', 'pending', 'cancelled'] as const;

/** Of each status. Nobody reads more one by one. */
const size = 50;

/** The log is in the order of what happened. It enters the feed a little later. */
const laterMs = 3_600_000;

interface Missing {
  deliveries: readonly Delivery[];
  /** Whether there are more than were read. */
  isCut: boolean;
}

/** The deliveries of some hours that have not arrived. While nothing is open, nothing is asked. */
export function useMissing(target: Target, hours: readonly LedgerHour[], revision: number): Resource<Missing> {
  const range = openRange(hours);
  const missing = useResource<Missing>(JSON.stringify([range, sumOf(hours).open]), async (signal) => {
    if (!range) return { deliveries: [], isCut: false };
    const since = new Date(range.since - laterMs).toISOString();
    const until = new Date(range.until).toISOString();
    const pages = await Promise.all(
      notArrived.map((status) => target.deliveries({ per_page: size, status, since, until }, signal)),
    );
    return { deliveries: countedIn(pages.flat(), hours), isCut: pages.some((page) => page.length === size) };
  });
  useFollowed(missing, ({ deliveries }) => deliveries, revision);
  return missing;
}

/** Whether somebody has to look: what has not been tried, or is being sent, goes on by itself. */
export const hasFailed = (missing: Missing | undefined): boolean =>
  missing?.deliveries.some((delivery) => deliveryWord(figuresOf(delivery, false)) !== 'pending') ?? false;

interface MissingListProps {
  missing: Resource<Missing>;
  /** How many have not arrived, by the ledger. */
  open: number;
  /** Of today: what the log does not have is still to come. Of an older day it may be gone. */
  isToday: boolean;
  target: Target;
  onSent: () => Promise<unknown>;
}

const shownFirst = 10;

export function MissingList({ missing, open, isToday, target, onSent }: MissingListProps) {
  const isWhole = useSignal(false);
  return (
    <Loaded resource={missing} tried={t('developers.ledger.missingTried')}>
      {({ deliveries, isCut }) => {
        const shown = isWhole.value ? deliveries : deliveries.slice(0, shownFirst);
        const others = isCut ? 0 : unlogged(open, deliveries.length);
        return (
          <div class="stack missing">
            {shown.length > 0 && (
              <Table
                caption={t('developers.ledger.missing')}
                columns={columnsOf(target, onSent)}
                rows={shown}
                rowKey={({ id }) => id}
                isBusy={missing.isLoading.value}
              />
            )}
            {shown.length < deliveries.length && (
              <p>
                <Button
                  onClick={() => {
                    isWhole.value = true;
                  }}
                >
                  {t('developers.ledger.showAll', { count: deliveries.length })}
                </Button>
              </p>
            )}
            {isCut && <p class="muted">{t('developers.ledger.more')}</p>}
            {others > 0 && (
              <p class="muted">
                {t(isToday ? 'developers.ledger.untried' : 'developers.ledger.unlogged', { count: others })}
              </p>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

const columnsOf = (target: Target, onSent: () => Promise<unknown>): Column<Delivery>[] => [
  {
    title: t('developers.log.event'),
    cell: ({ id, ref }) => <RowLink to={href(`${target.path}/deliveries/${id}`)}>{eventText(ref)}</RowLink>,
  },
  {
    title: t('developers.log.status'),
    cell: (delivery) => <DeliveryState delivery={figuresOf(delivery, false)} />,
  },
  { title: t('developers.log.made'), cell: ({ created_at }) => <Time at={created_at} /> },
  ...(target.mayRedeliver
    ? [
        {
          title: t('developers.ledger.action'),
          cell: (delivery: Delivery) => <SendAgain delivery={delivery} target={target} onSent={onSent} />,
        },
      ]
    : []),
];

interface SendAgainProps {
  delivery: Delivery;
  target: Target;
  onSent: () => Promise<unknown>;
}

function SendAgain({ delivery, target, onSent }: SendAgainProps) {
  const isBusy = useSignal(false);
  const sendAgain = async () => {
    isBusy.value = true;
    try {
      await target.redeliver(delivery.id);
      notify(t('developers.delivery.sentAgain'));
      await onSent();
    } catch (failure) {
      notify(textOf(failure), 'failed');
    }
    isBusy.value = false;
  };
  // It is being sent at this moment.
  if (deliveryWord(figuresOf(delivery, false)) === 'pending' && !isBusy.value) return <>–</>;
  return (
    <Button kind="plain" onClick={sendAgain} isBusy={isBusy.value}>
      {t('developers.delivery.sendAgain')} <span class="hidden">{eventText(delivery.ref)}</span>
    </Button>
  );
}
