import { useEffect } from 'preact/hooks';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { integrationName } from '../../app/integration-name.ts';
import { href } from '../../app/router.ts';
import { number, t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { RowLink, Table } from '../../ui/list.tsx';
import { Page, Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { isUnwatched, streamTone, troubles } from './operations-rules.ts';
import { providerName } from './words.ts';

type Operations = Answer<'getOperations'>;

const everyMs = 30_000;

/** What waits, fails and stands still in the whole deployment. It is read again every half minute. */
export default function OperationsView() {
  const operations = useResource('operations', (signal) => call('getOperations', { signal }));
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden && !operations.isLoading.value) operations.reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
  const found = operations.value.value;
  return (
    <Page
      title={t('operator.operations.title')}
      state={found && <Sum found={found} />}
      actions={
        <Button onClick={() => operations.reload()} isBusy={operations.isLoading.value}>
          {t('operator.operations.again')}
        </Button>
      }
    >
      <Loaded resource={operations} tried={t('operator.operations.tried')}>
        {({ queues, circuits, providers, streams }) => (
          <>
            <Circuits circuits={circuits} />
            <Queues queues={queues} providers={providers} />
            <Providers providers={providers} />
            <Streams streams={streams} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Sum({ found }: { found: Operations }) {
  const count = troubles(found);
  return (
    <State tone={count === 0 ? 'arrived' : 'attention'}>
      {count === 0 ? t('operator.operations.fine') : t('operator.operations.troubles', { count })}
    </State>
  );
}

const Circuits = ({ circuits }: { circuits: Operations['circuits'] }) => (
  <Section title={t('operator.operations.circuits')}>
    {circuits.length === 0 ? (
      <p>
        <State tone="arrived">{t('operator.operations.noCircuits')}</State>
      </p>
    ) : (
      <Table
        caption={t('operator.operations.circuits')}
        rows={circuits}
        rowKey={({ shop_slug, target }) => `${shop_slug} ${target}`}
        columns={[
          {
            title: t('operator.operations.receiver'),
            cell: ({ shop_slug, target }) => (
              <div class="stack tight">
                <RowLink to={href(pathOf(shop_slug, target))}>{receiverName(target)}</RowLink>
                <span class="muted">{shop_slug}</span>
              </div>
            ),
          },
          {
            title: t('operator.operations.state'),
            cell: ({ state }) => (
              <State tone={state === 'open' ? 'failed' : 'attention'}>
                {t(state === 'open' ? 'health.words.notAnswering' : 'health.words.catchingUp')}
              </State>
            ),
          },
          { title: t('operator.operations.since'), cell: ({ since }) => <Time at={since} /> },
          {
            title: t('operator.operations.parked'),
            isNumber: true,
            cell: ({ parked }) =>
              parked >= mostParked ? t('operator.operations.orMore', { count: parked }) : number(parked),
          },
        ]}
      />
    )}
  </Section>
);

/** The service counts no further. */
const mostParked = 100;

const isIntegration = (target: string) => target.startsWith('integration_');

const uuidLength = 36;

/** The webhook of an automation is a target whose name begins with the uuid of the automation. */
function pathOf(slug: string, target: string): string {
  const shop = `/s/${encodeURIComponent(slug)}`;
  if (isIntegration(target)) return `${shop}/integrations/${target}`;
  if (target.length > uuidLength) return `${shop}/automations/${target.slice(0, uuidLength)}`;
  return `${shop}/endpoints/${target}`;
}

function receiverName(target: string): string {
  if (isIntegration(target)) return integrationName(target);
  return t(target.length > uuidLength ? 'operator.operations.automation' : 'operator.operations.endpoint');
}

const Queues = ({ queues, providers }: Pick<Operations, 'queues' | 'providers'>) => (
  <Section title={t('operator.operations.queues')}>
    <Table
      caption={t('operator.operations.queues')}
      rows={queues}
      rowKey={({ name }) => name}
      columns={[
        {
          title: t('operator.operations.queue'),
          cell: (queue) => (
            <div class="stack tight">
              <span>
                {wordOf('operator.operations.queueNames', queue.name)} <span class="muted">{queue.name}</span>
              </span>
              {isUnwatched(queue, providers) && <span class="help">{t('operator.operations.unwatched')}</span>}
            </div>
          ),
        },
        {
          title: t('operator.operations.waiting'),
          isNumber: true,
          cell: (queue) =>
            isUnwatched(queue, providers) ? (
              <State tone="attention">{number(queue.waiting)}</State>
            ) : (
              number(queue.waiting)
            ),
        },
        {
          title: t('operator.operations.givenUp'),
          cell: ({ given_up }) =>
            given_up === 0 ? (
              <span class="muted">{t('common.none')}</span>
            ) : (
              <State tone="failed">{number(given_up)}</State>
            ),
        },
      ]}
    />
    <p class="help">{t('operator.operations.queuesHelp')}</p>
  </Section>
);

const Providers = ({ providers }: { providers: Operations['providers'] }) => (
  <Section title={t('operator.providers.title')}>
    {providers.length === 0 ? (
      <p class="muted">{t('operator.operations.noProviders')}</p>
    ) : (
      <Table
        caption={t('operator.providers.title')}
        rows={providers}
        rowKey={({ provider }) => provider}
        columns={[
          {
            title: t('operator.providers.provider'),
            cell: ({ provider }) => (
              <RowLink to={href(`/operator/providers/${provider}`)}>{providerName(provider)}</RowLink>
            ),
          },
          {
            title: t('operator.operations.lastWebhook'),
            cell: ({ last_webhook_at: at }) =>
              at === null ? <State tone="quiet">{t('operator.operations.noWebhook')}</State> : <Time at={at} />,
          },
          { title: t('operator.operations.unmapped'), isNumber: true, cell: ({ unmapped }) => number(unmapped) },
          {
            title: t('operator.operations.refused'),
            cell: ({ refused }) =>
              refused === 0 ? (
                <span class="muted">{t('common.none')}</span>
              ) : (
                <State tone="attention">{number(refused)}</State>
              ),
          },
        ]}
      />
    )}
  </Section>
);

const Streams = ({ streams }: { streams: Operations['streams'] }) => (
  <Section title={t('operator.operations.streams')}>
    <Table
      caption={t('operator.operations.streams')}
      rows={streams}
      rowKey={({ name }) => name}
      columns={[
        {
          title: t('operator.operations.reader'),
          cell: ({ name }) => (
            <>
              {wordOf('operator.operations.readers', name)} <span class="muted">{name}</span>
            </>
          ),
        },
        {
          title: t('operator.operations.age'),
          cell: ({ age_seconds: age }) => (
            <State tone={streamTone(age)}>
              {age === null ? t('operator.operations.notRead') : t('operator.operations.seconds', { count: age })}
            </State>
          ),
        },
      ]}
    />
  </Section>
);
