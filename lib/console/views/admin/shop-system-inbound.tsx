import { useEffect } from 'preact/hooks';
import { requestLimits, shopWebhookLimits } from '#schemas/catalogues/limits.ts';
import type { ShopSystem, UnreadableReason } from '#schemas/catalogues/shop-webhooks.ts';
import type { Resource } from '../../api/resource.ts';
import { loadErrorWords } from '../../texts/errors.ts';
import { hasText, number, t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Table } from '../../ui/list.tsx';
import { Facts, Section } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import type { Inbound } from './shop-system-read.ts';
import { systemName } from './shop-system-words.ts';
import { Topic } from './shop-topic.tsx';

type Unreadable = Inbound['unreadable'][number];

interface WhatCameProps {
  inbound: Resource<Inbound>;
  system: ShopSystem | undefined;
}

/** The last webhook, those that could not be read, and those that the service has no use for. */
export function WhatCame({ inbound, system }: WhatCameProps) {
  const look = (
    <Button isBusy={inbound.isLoading.value && inbound.value.value !== undefined} onClick={() => inbound.reload()}>
      {t('admin.shopSystem.came.look')}
    </Button>
  );
  return (
    <Section title={t('admin.shopSystem.came.title')} actions={system && inbound.value.value && look}>
      <Loaded resource={inbound} tried={t('admin.shopSystem.came.tried')}>
        {(came) => <Came came={came} system={system} />}
      </Loaded>
    </Section>
  );
}

function Came({ came, system }: { came: Inbound; system: ShopSystem | undefined }) {
  const name = systemName(system ?? 'shop_system_1');
  if (came.last_received_at === null && came.unreadable.length === 0 && came.ignored.length === 0) {
    return (
      <Empty
        icon="sync"
        title={t('admin.shopSystem.came.none')}
        text={system ? t('admin.shopSystem.came.noneText', { system: name }) : t('admin.shopSystem.came.noneYet')}
      />
    );
  }
  return (
    <>
      <Facts
        facts={[
          [t('admin.shopSystem.came.last'), <Time key="last" at={came.last_received_at} />],
          [
            t('admin.shopSystem.topic'),
            came.last_topic === null ? null : <Topic key="topic" topic={came.last_topic} />,
          ],
        ]}
      />
      {came.unreadable.length === 0 ? (
        <AllRead system={system} />
      ) : (
        <UnreadableList list={came.unreadable} system={system ?? 'shop_system_1'} />
      )}
      {came.ignored.length > 0 && <Ignored list={came.ignored} name={name} />}
    </>
  );
}

/** Nothing is listed for Shopify, which is told at once what cannot be read. */
const AllRead = ({ system }: { system: ShopSystem | undefined }) =>
  system === 'shop_system_1' ? (
    <p class="muted">{t('admin.shopSystem.came.refusedAtOnce')}</p>
  ) : (
    <p class="all-read">
      <State tone="arrived">{t('admin.shopSystem.came.allRead')}</State>
      <span class="muted">{t('admin.shopSystem.came.inDays', { count: shopWebhookLimits.keptDays })}</span>
    </p>
  );

/** By their reasons, because the same thing mends all of one. That of the newest comes first. */
function UnreadableList({ list, system }: { list: readonly Unreadable[]; system: ShopSystem }) {
  const reasons = [...new Set(list.map(({ reason }) => reason))];
  useEffect(() => {
    // They have words for why the service refused an order.
    if (reasons.includes('refused')) loadErrorWords();
  }, [reasons.includes('refused')]);
  return (
    <section class="stack">
      <h3>{t('admin.shopSystem.came.unreadable', { count: list.length })}</h3>
      <p class="help">
        {t('admin.shopSystem.came.unreadableHelp', { system: systemName(system), count: shopWebhookLimits.keptDays })}
        {list.length >= shopWebhookLimits.unreadableShown &&
          ` ${t('admin.shopSystem.came.newest', { count: shopWebhookLimits.unreadableShown })}`}
      </p>
      {reasons.map((reason) => (
        <Reason key={reason} reason={reason} system={system} list={list.filter((one) => one.reason === reason)} />
      ))}
    </section>
  );
}

interface ReasonProps {
  reason: UnreadableReason;
  system: ShopSystem;
  list: readonly Unreadable[];
}

function Reason({ reason, system, list }: ReasonProps) {
  const word = wordOf('admin.shopSystem.reasons', reason);
  const values = { system: systemName(system), size: number(requestLimits.bodyBytes / 1024 / 1024) };
  const own = `admin.shopSystem.whatToDo.${reason}_${system}`;
  const orderColumn = {
    title: t('admin.shopSystem.came.order'),
    cell: ({ order }: Unreadable) =>
      order === null ? '–' : <CopyText text={order} label={t('admin.shopSystem.came.orderOf', { order })} />,
  };
  const advice = hasText(own) ? own : `admin.shopSystem.whatToDo.${reason}`;
  return (
    <section class="card unread stack">
      <header class="section-head">
        <h4>
          <State tone="failed">{word}</State>
        </h4>
        <span class="muted">{t('admin.shopSystem.came.count', { count: list.length })}</span>
      </header>
      {hasText(advice) && <p>{t(advice, values)}</p>}
      <Table
        caption={word}
        rows={list.map((one, i) => ({ ...one, key: `${one.received_at} ${i}` }))}
        rowKey={({ key }) => key}
        columns={[
          { title: t('admin.shopSystem.came.when'), cell: ({ received_at }) => <Time at={received_at} /> },
          { title: t('admin.shopSystem.topic'), cell: ({ topic }) => (topic === null ? '–' : <Topic topic={topic} />) },
          ...(list.some(({ field }) => field !== null)
            ? [
                {
                  title: t(reason === 'refused' ? 'admin.shopSystem.came.why' : 'admin.shopSystem.came.field'),
                  cell: ({ field }: Unreadable) => <Field reason={reason} field={field} />,
                },
              ]
            : []),
          ...(list.some(({ order }) => order !== null) ? [orderColumn] : []),
        ]}
      />
    </section>
  );
}

/** The field as the system calls it, or in words why the service refused the order. */
function Field({ reason, field }: { reason: UnreadableReason; field: string | null }) {
  if (field === null) return <span>–</span>;
  const words = `errors.keys.${field}`;
  return reason === 'refused' && hasText(words) ? <span>{t(words)}</span> : <code>{field}</code>;
}

const Ignored = ({ list, name }: { list: Inbound['ignored']; name: string }) => (
  <section class="stack">
    <h3>{t('admin.shopSystem.came.ignored')}</h3>
    <p class="help">{t('admin.shopSystem.came.ignoredHelp', { system: name })}</p>
    <Table
      caption={t('admin.shopSystem.came.ignored')}
      rows={list}
      rowKey={({ topic }) => topic}
      columns={[
        {
          title: t('admin.shopSystem.topic'),
          cell: ({ topic }) => (topic === '' ? t('admin.shopSystem.came.noTopic') : <Topic topic={topic} />),
        },
        { title: t('admin.shopSystem.came.times'), cell: ({ count }) => number(count), isNumber: true },
        {
          title: t('admin.shopSystem.came.lastOne'),
          cell: ({ last_received_at }) => <Time at={last_received_at} />,
        },
      ]}
    />
  </section>
);
