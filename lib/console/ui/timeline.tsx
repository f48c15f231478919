import type { Answer } from '../api/client.ts';
import type { Resource } from '../api/resource.ts';
import { integrationName } from '../app/integration-name.ts';
import { href, inShop, setQuery } from '../app/router.ts';
import { can } from '../app/session.ts';
import { language, t, wordOf } from '../texts/texts.ts';
import { askerOf, authorOf } from './author.ts';
import { placeName } from './countries.ts';
import { type DeliveryFigures, deliveryWord } from './delivery-word.ts';
import { deliverySentence } from './delivery-words.ts';
import { emailLogPath } from './email-tabs.tsx';
import { eventText } from './event-refs.ts';
import { Icon, type IconName } from './icon.tsx';
import { filter } from './list.tsx';
import { Section } from './parts.tsx';
import { eventWords } from './shipment-events.ts';
import { Loaded } from './states.tsx';
import { day, exact, now } from './time.tsx';

export type TimelineEntry = Answer<'getOrderTimeline'>[number];
type Kind = TimelineEntry['kind'];

const icons: Record<Kind, IconName> = {
  order: 'basket',
  shipment: 'parcel',
  event: 'truck',
  delivery: 'link',
  claim: 'claim',
  withdrawal: 'return',
  automation_run: 'bolt',
  tracking_submission: 'pin',
  page_view: 'page',
  email: 'mail',
  rating: 'check',
};

/** What the customer knows of, too, beside the order itself. What other systems were told is a choice away. */
const journey: readonly Kind[] = ['event', 'claim', 'rating', 'withdrawal'];

/** After it, what the customer knows of cannot be seen here any more: nobody should have to search for the reason. */
const isErasure = ({ data }: TimelineEntry) => data.erased_by !== undefined;

/** What was not sent is nothing that the customer knows of. */
const isMailed = ({ kind, data }: TimelineEntry) => kind === 'email' && data.email?.status === 'delivered';

interface TimelineSectionProps {
  timeline: Resource<TimelineEntry[]>;
  /** What the view shows elsewhere. */
  without?: Kind;
  /** What is shown first. Default: everything. */
  view?: 'journey';
}

/** The timeline of an order as a part of a view. */
export const TimelineSection = ({ timeline, without, view }: TimelineSectionProps) => (
  <Section title={t('timeline.title')}>
    <Loaded resource={timeline} tried={t('timeline.tried')}>
      {(entries) => <Timeline entries={entries.filter(({ kind }) => kind !== without)} first={view ?? 'everything'} />}
    </Loaded>
  </Section>
);

interface TimelineProps {
  entries: readonly TimelineEntry[];
  first: 'journey' | 'everything';
}

/** What happened around the order, newest first, with the days as headings. */
function Timeline({ entries, first }: TimelineProps) {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const chosen = filter('kind') || first;
  const placed = entries.find(({ kind }) => kind === 'order');
  const isShown = (entry: TimelineEntry) => {
    if (chosen === 'journey')
      return entry === placed || isErasure(entry) || isMailed(entry) || journey.includes(entry.kind);
    return chosen === 'everything' || entry.kind === chosen;
  };
  const shown = entries.filter(isShown).toReversed();
  const parcels = new Set(entries.flatMap(({ data }) => data.shipment_id ?? []));
  const days = Map.groupBy(shown, ({ at }) => day(at));
  const choices = [
    ...(first === 'journey' ? [{ value: 'journey', label: t('timeline.journey') }] : []),
    { value: 'everything', label: t('timeline.everything') },
    ...kinds.map((kind) => ({ value: kind, label: wordOf('timeline.kinds', kind) })),
  ];
  return (
    <div class="stack">
      <label class="field kind-filter">
        <span>{t('timeline.show')}</span>
        <select onChange={({ currentTarget: { value } }) => setQuery({ kind: value === first ? undefined : value })}>
          {choices.map(({ value, label }) => (
            <option key={value} value={value} selected={value === chosen}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {shown.length === 0 && <p class="muted">{t('timeline.nothing')}</p>}
      {[...days].map(([heading, list]) => (
        <section key={heading} class="stack day">
          <h3>{heading}</h3>
          <ol class="timeline">
            {list.map((entry, i) => (
              <Entry
                key={`${entry.at} ${entry.title} ${i}`}
                entry={entry}
                isPlaced={entry === placed}
                isOnly={parcels.size === 1}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface EntryProps {
  entry: TimelineEntry;
  /** Of an order there is the time when it was placed and, if that is another, when it was received. */
  isPlaced: boolean;
  /** Whether the order has one parcel, which then needs no number. */
  isOnly: boolean;
}

function Entry({ entry, isPlaced, isOnly }: EntryProps) {
  const { at, kind, data } = entry;
  const title = titleOf(entry, isPlaced, isOnly);
  const link = detailOf(entry);
  return (
    <li class={hasFailed(entry) ? 'entry failed' : 'entry'}>
      <Icon name={isErasure(entry) ? 'shield' : icons[kind]} />
      <time dateTime={at} title={exact(at)}>
        {new Date(at).toLocaleTimeString(language.value, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}
      </time>
      <div>
        <span class="hidden">{wordOf('timeline.kinds', kind)}: </span>
        {link ? <a href={href(link)}>{title}</a> : <span>{title}</span>}
        {data.erased_by && <p class="muted">{t('timeline.erasedBy', { who: askerOf(data.erased_by) })}</p>}
        {data.claim && <p class="muted">{t('timeline.by', { who: authorOf(data.claim) })}</p>}
        {data.claim?.comment && <blockquote>{data.claim.comment}</blockquote>}
        {data.rating?.text && <blockquote>{data.rating.text}</blockquote>}
        {data.reason && <p class="muted">{data.reason}</p>}
      </div>
    </li>
  );
}

/** The service writes English, so each kind is said anew in the language of the user. */
function titleOf(entry: TimelineEntry, isPlaced: boolean, isOnly: boolean): string {
  const { title, kind, data } = entry;
  const { order_number = '', claim, delivery, email, run, not_sent, erased_by, rating } = data;
  if (erased_by !== undefined) return t('timeline.erased');
  if (kind === 'order') return t(isPlaced ? 'timeline.placed' : 'timeline.received', { number: order_number });
  if (kind === 'shipment') return t('timeline.added', { parcel: parcelName(data) });
  if (kind === 'event') return eventTitle(data, isOnly);
  if (kind === 'tracking_submission') return submissionTitle(data);
  if (kind === 'page_view') return wordOf('timeline.views', data.view ?? '');
  if (rating) return t('timeline.rating', { stars: rating.stars });
  if (data.withdrawal)
    return eventText(`withdrawals/${data.withdrawal.status === 'declared' ? 'declared' : 'settled'}`);
  if (claim) return claimTitle(claim);
  if (delivery) return deliveryTitle(delivery);
  if (email) return deliverySentence(mailFigures(email), eventText(email.ref), '', now.value);
  if (run) return runTitle(run);
  return not_sent
    ? t('timeline.notSent', { event: not_sent.ref, reason: wordOf('timeline.notSentReasons', not_sent.reason) })
    : title;
}

type Data = TimelineEntry['data'];

const parcelName = ({ is_return = false, tracking_number }: Data): string =>
  t(is_return ? 'timeline.returnParcel' : 'timeline.parcel', { number: tracking_number ?? t('timeline.noNumber') });

function eventTitle(data: Data, isOnly: boolean): string {
  const { event_name = '', is_return, location, country_code } = data;
  const place = location ? ` (${placeName(location, country_code, language.value)})` : '';
  const what = `${eventWords(event_name, is_return)}${place}`;
  return isOnly ? what : `${parcelName(data)}: ${what}`;
}

const submissionTitle = (data: Data): string =>
  t('timeline.watched', {
    parcel: parcelName(data),
    provider: data.provider ?? '',
    state: wordOf('timeline.watchedStates', data.status ?? ''),
  });

function claimTitle({ reason, action, changes }: NonNullable<Data['claim']>): string {
  const about = t('timeline.claim', { reason: wordOf('timeline.reasons', reason) });
  const status = changes.find(({ field }) => field === 'status')?.to;
  const what = status ? wordOf('timeline.claimStatuses', status) : wordOf('timeline.claimActions', action);
  const isComment = action === 'updated' && changes.length === 0;
  return `${about}: ${isComment ? t('timeline.commented') : what}`;
}

function runTitle({ automation_name, status, reason, due_at }: NonNullable<Data['run']>): string {
  const what = wordOf('timeline.runStatuses', status);
  const more =
    status === 'scheduled'
      ? ` ${exact(due_at)}`
      : status === 'skipped'
        ? ` (${wordOf('timeline.skipped', reason ?? '')})`
        : '';
  return `${t('timeline.automation', { name: automation_name })}: ${what}${more}`;
}

function deliveryTitle(delivery: NonNullable<Data['delivery']>): string {
  const { ref, url, target, target_kind: kind } = delivery;
  const named = kind === 'integration' ? integrationName(target) : t('deliveries.automation');
  return deliverySentence(delivery, eventText(ref), url ?? named, now.value);
}

/** The log has more of it: when it is tried again, and what the customer's mail server said. */
const mailFigures = (email: NonNullable<Data['email']>): DeliveryFigures => ({
  ...email,
  next_attempt_at: null,
  isMail: true,
});

const hasFailed = ({ data }: TimelineEntry) =>
  (data.delivery && ['failed', 'retried'].includes(deliveryWord(data.delivery))) ||
  (data.email && ['failed', 'retried'].includes(deliveryWord(mailFigures(data.email)))) ||
  data.run?.status === 'failed' ||
  data.status === 'refused';

/** The view that shows more, if the user may open it. */
export function detailOf({ data }: TimelineEntry): string | undefined {
  const { claim, delivery, email, run, campaign_id } = data;
  if (claim && claim.action !== 'deleted') return inShop(`/claims/${claim.uuid}`);
  if (data.withdrawal) return inShop(`/withdrawals/${data.withdrawal.uuid}`);
  if (delivery?.target_kind === 'webhook' && can('getWebhookDelivery'))
    return inShop(`/endpoints/${delivery.target}/deliveries/${delivery.id}`);
  if (delivery?.target_kind === 'integration' && can('getIntegrationDelivery'))
    return inShop(`/integrations/${delivery.target}/deliveries/${delivery.id}`);
  if (email && can('getIntegrationDelivery')) return `${emailLogPath()}/deliveries/${email.delivery_id}`;
  if (run && can('getAutomation')) return inShop(`/automations/${run.automation_id}`);
  if (campaign_id && can('getCampaign')) return inShop(`/campaigns/${campaign_id}`);
  return undefined;
}
