import type { Answer } from '../api/client.ts';
import type { Resource } from '../api/resource.ts';
import { href, inShop, setQuery } from '../app/router.ts';
import { can } from '../app/session.ts';
import { language, t, wordOf } from '../texts/texts.ts';
import { Icon, type IconName } from './icon.tsx';
import { filter } from './list.tsx';
import { Section } from './parts.tsx';
import { eventWords } from './shipment-events.ts';
import { Loaded } from './states.tsx';
import { day, exact } from './time.tsx';

export type TimelineEntry = Answer<'getOrderTimeline'>[number];
type Kind = TimelineEntry['kind'];

const icons: Record<Kind, IconName> = {
  order: 'basket',
  shipment: 'parcel',
  event: 'truck',
  delivery: 'link',
  claim: 'claim',
  automation_run: 'bolt',
  tracking_submission: 'pin',
  page_view: 'page',
};

interface TimelineSectionProps {
  timeline: Resource<TimelineEntry[]>;
  /** What the view shows elsewhere. */
  without?: Kind;
}

/** The timeline of an order as a part of a view. */
export const TimelineSection = ({ timeline, without }: TimelineSectionProps) => (
  <Section title={t('timeline.title')}>
    <Loaded resource={timeline} tried={t('timeline.tried')}>
      {(entries) => <Timeline entries={entries.filter(({ kind }) => kind !== without)} />}
    </Loaded>
  </Section>
);

/** Everything that happened around the order, newest first, with the days as headings. */
function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const chosen = filter('kind');
  const shown = entries.filter(({ kind }) => chosen === '' || kind === chosen).toReversed();
  const days = Map.groupBy(shown, ({ at }) => day(at));
  return (
    <div class="stack">
      <label class="field kind-filter">
        <span>{t('timeline.show')}</span>
        <select onChange={(event) => setQuery({ kind: event.currentTarget.value })}>
          <option value="" selected={chosen === ''}>
            {t('timeline.everything')}
          </option>
          {kinds.map((kind) => (
            <option key={kind} value={kind} selected={kind === chosen}>
              {wordOf('timeline.kinds', kind)}
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
              <Entry key={`${entry.at} ${entry.title} ${i}`} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { at, kind, data } = entry;
  const title = titleOf(entry);
  const link = detailOf(entry);
  return (
    <li class={hasFailed(entry) ? 'entry failed' : 'entry'}>
      <Icon name={icons[kind]} />
      <time dateTime={at} title={exact(at)}>
        {new Date(at).toLocaleTimeString(language.value, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}
      </time>
      <div>
        <span class="hidden">{wordOf('timeline.kinds', kind)}: </span>
        {link ? <a href={href(link)}>{title}</a> : <span>{title}</span>}
        {data.claim?.comment && <blockquote>{data.claim.comment}</blockquote>}
        {data.reason && <p class="muted">{data.reason}</p>}
      </div>
    </li>
  );
}

/** The service writes English. What a carrier reports is shown in the words of the tracking page. */
function titleOf({ title, data }: TimelineEntry): string {
  const { event_name, tracking_number, is_return = false, location } = data;
  if (data.not_sent) {
    const { ref, reason } = data.not_sent;
    return t('timeline.notSent', { event: ref, reason: wordOf('timeline.notSentReasons', reason) });
  }
  if (!event_name) return title;
  const parcel = t(is_return ? 'timeline.returnParcel' : 'timeline.parcel', {
    number: tracking_number ?? t('timeline.noNumber'),
  });
  return `${parcel}: ${eventWords(event_name, is_return)}${location ? ` (${location})` : ''}`;
}

const hasFailed = ({ data }: TimelineEntry) =>
  data.delivery?.status === 'failed' || data.run?.status === 'failed' || data.status === 'refused';

/** The view that shows more, if the user may open it. */
export function detailOf({ data }: TimelineEntry): string | undefined {
  const { claim, delivery, run, campaign_id } = data;
  if (claim && claim.action !== 'deleted') return inShop(`/claims/${claim.uuid}`);
  if (delivery?.target_kind === 'webhook' && can('getWebhookDelivery'))
    return inShop(`/endpoints/${delivery.target}/deliveries/${delivery.id}`);
  if (delivery?.target_kind === 'integration' && can('getIntegrationDelivery'))
    return inShop(`/integrations/${delivery.target}/deliveries/${delivery.id}`);
  if (run && can('getAutomation')) return inShop(`/automations/${run.automation_id}`);
  if (campaign_id && can('getCampaign')) return inShop(`/campaigns/${campaign_id}`);
  return undefined;
}
