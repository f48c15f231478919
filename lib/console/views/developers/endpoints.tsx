import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { eventText } from '../../ui/event-refs.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { HealthCell, useHealths } from '../../ui/health-state.tsx';
import { type Column, Filters, filter, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';
import { Url } from '../../ui/url.tsx';
import { healthColumns } from './health-columns.tsx';
import { type Endpoint, endpointTarget } from './target.ts';

type Read = (page: number, size: number, signal: AbortSignal) => Promise<Endpoint[]>;

export default function Endpoints() {
  const page = pageOf();
  const status = filter('status');
  const read: Read = (at, per_page, signal) =>
    call('searchWebhooks', { query: { page: at, per_page, status: status || undefined }, signal });
  const endpoints = useResource(`${page} ${status}`, (signal) => read(page, perPage, signal));
  const create = can('createWebhook') && (
    <a class="button main" href={href(inShop('/endpoints/new'))}>
      {t('developers.endpoints.new')}
    </a>
  );
  return (
    <Page title={t('developers.endpoints.title')} actions={create}>
      <p>{t('developers.endpoints.intro')}</p>
      <Filters names={['status']}>
        <SelectField
          label={t('developers.endpoints.status')}
          name="status"
          value={status}
          onValue={() => {}}
          options={[
            { value: '', label: t('common.all') },
            { value: 'active', label: t('developers.endpoint.active') },
            { value: 'inactive', label: t('developers.endpoint.inactive') },
          ]}
        />
      </Filters>
      <Loaded resource={endpoints} tried={t('developers.endpoints.tried')}>
        {(rows) => {
          if (rows.length > 0) return <Endpointed rows={rows} read={read} />;
          return status !== '' || page > 1 ? (
            <>
              <Empty title={t('results.nothing')} text={t('results.nothingText')} icon="link" />
              <Pager shown={0} />
            </>
          ) : (
            <Empty title={t('developers.endpoints.none')} text={t('developers.endpoints.noneText')} icon="link">
              {create}
            </Empty>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Endpointed({ rows, read }: { rows: Endpoint[]; read: Read }) {
  const active = rows.filter(({ status }) => status === 'active').map(({ uuid }) => uuid);
  const healths = useHealths(active, (uuid, signal) => endpointTarget(uuid).health(signal));
  const columns: Column<Endpoint>[] = [
    {
      title: t('developers.endpoint.url'),
      cell: ({ uuid, url, description }) => (
        <div class="stack tight">
          <RowLink to={href(inShop(`/endpoints/${uuid}`))}>
            <span class="clamped url">
              <Url url={url} />
            </span>
          </RowLink>
          {description && <span class="muted clamped">{description}</span>}
        </div>
      ),
      csv: ({ url }) => url,
    },
    {
      title: t('developers.health.title'),
      cell: ({ uuid, status }) =>
        status === 'active' ? (
          <HealthCell healths={healths} id={uuid} />
        ) : (
          <State tone="quiet">{t('developers.endpoint.inactive')}</State>
        ),
    },
    ...healthColumns<Endpoint>(healths, ({ uuid }) => uuid),
    {
      title: t('developers.endpoint.events'),
      isMinor: true,
      cell: ({ enabled_events: events }) => eventsText(events),
      csv: ({ enabled_events: events }) => events.join(' '),
    },
  ];
  return (
    <>
      <Table caption={t('developers.endpoints.title')} rows={rows} rowKey={({ uuid }) => uuid} columns={columns} />
      <div class="list-foot">
        <Pager shown={rows.length} />
        <ExportButton name="endpoints" columns={[...columns, ...onlyInFile()]} read={read} />
      </div>
    </>
  );
}

/** How an endpoint does is read for each one that is shown, so the file has what the list of the service tells. */
const onlyInFile = (): Column<Endpoint>[] => [
  { title: t('developers.endpoint.description'), cell: () => null, csv: ({ description }) => description },
  {
    title: t('developers.endpoints.status'),
    cell: () => null,
    csv: ({ status }) => t(status === 'active' ? 'developers.endpoint.active' : 'developers.endpoint.inactive'),
  },
  { title: t('developers.endpoint.created'), cell: () => null, csv: ({ created_at }) => created_at },
];

const shownEvents = 2;

function eventsText(events: readonly string[]): string {
  if (events.length === 0) return t('common.none');
  const shown = events.slice(0, shownEvents).map(eventText).join(', ');
  const rest = events.length - shownEvents;
  return rest > 0 ? t('developers.endpoint.andMore', { shown, count: rest }) : shown;
}
