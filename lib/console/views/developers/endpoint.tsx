import { useSignal } from '@preact/signals';
import { call } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { go, href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { eventText } from '../../ui/event-refs.ts';
import { notify } from '../../ui/notices.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { Loaded, textOf } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { HealthFacts, Overall } from './health.tsx';
import { Ledger } from './ledger.tsx';
import { NoEndpoint } from './no-endpoint.tsx';
import { Recovery } from './recovery.tsx';
import { Secrets } from './secrets.tsx';
import { type Endpoint, endpointOf, endpointTarget, type Health } from './target.ts';
import { TargetChart } from './target-chart.tsx';
import { TestEvent } from './test-event.tsx';

export default function EndpointView({ params }: ViewProps) {
  const uuid = params.uuid!;
  const endpoint = useResource(uuid, (signal) => endpointOf(uuid, signal).then((found) => ({ found })));
  const health = useResource(uuid, (signal) => call('getWebhookHealth', { params: { uuid }, signal }));
  return (
    <Loaded resource={endpoint} tried={t('developers.endpoint.tried')}>
      {({ found }) =>
        found ? <Found endpoint={found} health={health} reload={() => endpoint.reload()} /> : <NoEndpoint />
      }
    </Loaded>
  );
}

interface FoundProps {
  endpoint: Endpoint;
  health: Resource<Health & { older_secrets: { masked_secret: string; valid_until: string }[] }>;
  reload: () => Promise<void>;
}

function Found({ endpoint, health, reload }: FoundProps) {
  const { uuid, url, status } = endpoint;
  useTitle(url);
  const target = endpointTarget(uuid);
  const isActive = status === 'active';
  const known = health.value.value;
  const revision = useSignal(0);
  const onSent = () => {
    revision.value++;
    return health.reload();
  };
  const refresh = () => Promise.all([reload(), health.reload()]);
  return (
    <Page
      title={url}
      up={{ path: inShop('/endpoints'), label: t('developers.endpoints.title') }}
      state={
        isActive ? known && <Overall health={known} /> : <State tone="quiet">{t('developers.endpoint.inactive')}</State>
      }
      actions={<Actions endpoint={endpoint} reload={refresh} />}
    >
      <Section
        title={t('developers.health.title')}
        actions={isActive && target.mayRecover && <Recovery target={target} health={known} onDone={onSent} />}
      >
        <div class="card stack">
          <Loaded resource={health} tried={t('developers.health.tried')}>
            {(read) => <HealthFacts health={read} />}
          </Loaded>
        </div>
      </Section>
      <TargetChart target={uuid} />
      <div class="columns">
        <Section title={t('developers.endpoint.facts')}>
          <div class="card">
            <EndpointFacts endpoint={endpoint} />
          </div>
        </Section>
        <Secrets endpoint={endpoint} older={known?.older_secrets ?? []} onRotated={refresh} />
      </div>
      {isActive && can('testWebhook') && <TestEvent uuid={uuid} onChange={onSent} />}
      {can('getEventLedger') && (
        <Ledger
          uuid={uuid}
          // What is sent to an endpoint that is switched off would only be cancelled.
          target={{ ...target, mayRedeliver: isActive && target.mayRedeliver }}
          revision={revision.value}
          onSent={onSent}
        />
      )}
      <DeliveryLog target={target} revision={revision.value} />
    </Page>
  );
}

const EndpointFacts = ({ endpoint }: { endpoint: Endpoint }) => (
  <Facts
    facts={[
      [t('developers.endpoint.id'), <CopyText key="id" text={endpoint.uuid} />],
      [t('developers.endpoint.description'), endpoint.description],
      [
        t('developers.endpoint.events'),
        endpoint.enabled_events.length === 0 ? t('common.none') : endpoint.enabled_events.map(eventText).join(', '),
      ],
      [t('developers.endpoint.created'), <Time key="created" at={endpoint.created_at} />],
      [t('developers.endpoint.changed'), <Time key="changed" at={endpoint.updated_at} />],
    ]}
  />
);

function Actions({ endpoint, reload }: { endpoint: Endpoint; reload: () => Promise<unknown> }) {
  const { uuid, url, status, updated_at } = endpoint;
  const isActive = status === 'active';
  const toggle = async () => {
    const question = {
      title: t('developers.endpoint.offTitle', { url }),
      text: t('developers.endpoint.offText'),
      action: t('developers.endpoint.off'),
    };
    if (isActive && !(await confirm(question))) return;
    const body = { status: isActive ? ('inactive' as const) : ('active' as const) };
    await told(t(isActive ? 'developers.endpoint.isOff' : 'developers.endpoint.isOn'), () =>
      call('updateWebhook', { params: { uuid }, body, ifMatch: updated_at }),
    );
    await reload();
  };
  const remove = async () => {
    const question = {
      title: t('developers.endpoint.deleteTitle', { url }),
      text: t('developers.endpoint.deleteText'),
      action: t('developers.endpoint.delete'),
    };
    if (!(await confirm(question))) return;
    const isDone = await told(t('developers.endpoint.deleted'), () => call('deleteWebhook', { params: { uuid } }));
    if (isDone) go(inShop('/endpoints'));
  };
  return (
    <>
      {can('updateWebhook') && (
        <>
          <a class="button" href={href(inShop(`/endpoints/${uuid}/edit`))}>
            {t('common.edit')}
          </a>
          <Button onClick={toggle}>{t(isActive ? 'developers.endpoint.off' : 'developers.endpoint.on')}</Button>
        </>
      )}
      {can('deleteWebhook') && (
        <Button kind="danger" onClick={remove}>
          {t('common.delete')}
        </Button>
      )}
    </>
  );
}

/** Says what became of an action. Returns whether it succeeded. */
async function told(success: string, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    notify(success);
    return true;
  } catch (failure) {
    notify(textOf(failure), 'failed');
    return false;
  }
}
