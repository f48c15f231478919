import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';
import { type Connection, stepStates, systemOf } from './shop-connection.ts';
import { WhatCame } from './shop-system-inbound.tsx';
import { connectionOf, type Inbound, readSetup, type Setup } from './shop-system-read.ts';
import { Steps } from './shop-system-steps.tsx';
import { PrivacyRequests, Secret, Webhooks } from './shop-system-webhooks.tsx';
import { useWebhookWork } from './shop-webhook-work.ts';

/** How the shop's own system is connected, and what came from it. */
export default function ShopSystemView() {
  const setup = useResource('setup', readSetup);
  const inbound = useResource('inbound', (signal) => call('getShopInbound', { signal }));
  const isAppSaved = useSignal(false);
  const came = inbound.value.value;
  const read = setup.value.value;
  const connection = read && connectionOf(read, came, isAppSaved.value);
  const system = connection && systemOf(connection);
  const states = connection ? stepStates(connection) : [];
  const reload = async () => {
    await Promise.all([setup.reload(), inbound.reload()]);
  };
  const work = useWebhookWork(system, reload);
  useFollowed(setup, inbound, states[1] === 'done' && states.includes('next'));
  return (
    <Page
      title={t('admin.shopSystem.title')}
      state={connection && came && <PageState connection={connection} inbound={came} />}
    >
      <p>{t('admin.shopSystem.intro')}</p>
      <Loaded resource={setup} tried={t('admin.shopSystem.tried')}>
        {(stored) => (
          <Steps
            connection={connectionOf(stored, came, isAppSaved.value)}
            setup={stored}
            inbound={came}
            states={states}
            work={work}
            onChanged={reload}
            onAppSaved={() => {
              isAppSaved.value = true;
            }}
          />
        )}
      </Loaded>
      <WhatCame inbound={inbound} system={system} />
      {system && read && <Webhooks system={system} registrations={read.registrations} work={work} />}
      {system && system !== 'shop_system_2' && can('getWebhookConfig') && <Secret system={system} />}
      {system === 'shop_system_1' && can('listPrivacyRequests') && <PrivacyRequests />}
    </Page>
  );
}

/** What could not be read stays listed for weeks: it does not call for attention as long as that. */
const recentMs = 3 * 86_400_000;

function PageState({ connection, inbound }: { connection: Connection; inbound: Inbound }) {
  const [newest] = inbound.unreadable;
  const isRecent = newest !== undefined && Date.now() - Date.parse(newest.received_at) < recentMs;
  if (isRecent || connection.isKeyOutdated) {
    return <State tone="attention">{t('admin.shopSystem.states.attention')}</State>;
  }
  return inbound.last_received_at === null ? (
    <State tone="quiet">{t('admin.shopSystem.states.notYet')}</State>
  ) : (
    <State tone="arrived">{t('admin.shopSystem.states.connected')}</State>
  );
}

const everyMs = 5000;

/** Looks again and again while somebody works in the shop's system, until what was awaited is there. */
function useFollowed(setup: Resource<Setup>, inbound: Resource<Inbound>, isAwaited: boolean) {
  useEffect(() => {
    if (!isAwaited) return undefined;
    const look = async () => {
      if (document.visibilityState !== 'visible' || inbound.isLoading.value) return;
      // Nobody asked for this, so a failure is not shown: the next look may succeed.
      const found = await call('getShopInbound').catch(() => undefined);
      if (!found || inbound.isLoading.value) return;
      const wasConnected = inbound.value.value?.is_connected;
      inbound.value.value = found;
      if (found.is_connected !== wasConnected) await setup.reload();
    };
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [isAwaited]);
}
