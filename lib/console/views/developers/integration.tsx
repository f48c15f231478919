import { useSignal } from '@preact/signals';
import { type NotifiedIntegration, notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { integrationKind, integrationName } from '../../app/integration-name.ts';
import type { ViewProps } from '../../app/route.ts';
import { inShop } from '../../app/router.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { HealthFacts, Overall } from './health.tsx';
import { hasKey, KeyState } from './integrations.tsx';
import { Recovery } from './recovery.tsx';
import { integrationTarget } from './target.ts';
import { TargetChart } from './target-chart.tsx';

export default function IntegrationView({ params }: ViewProps) {
  const name = params.name!;
  if (!(notifiedIntegrations as readonly string[]).includes(name)) {
    return (
      <Empty title={t('developers.integration.unknown')} text={t('developers.integration.unknownText')} icon="plug" />
    );
  }
  return <Known name={name as NotifiedIntegration} />;
}

function Known({ name }: { name: NotifiedIntegration }) {
  const title = integrationName(name);
  useTitle(title);
  const target = integrationTarget(name);
  const health = useResource(name, (signal) => target.health(signal));
  const keys = useResource('keys', (signal) => call('listIntegrationKeys', { signal }));
  const isReachable = keys.value.value && hasKey(keys.value.value[name]);
  const known = health.value.value;
  const revision = useSignal(0);
  const onSent = () => {
    revision.value++;
    return health.reload();
  };
  return (
    <Page
      title={title}
      up={{ path: inShop('/integrations'), label: t('developers.integrations.title') }}
      state={known && <Overall health={known} />}
    >
      <p>
        {integrationKind(name)} <code>{name}</code> {keys.value.value && <KeyState isSet={isReachable ?? false} />}
      </p>
      {isReachable === false && <p class="help">{t('developers.integration.noKeyHelp')}</p>}
      <Section
        title={t('developers.health.title')}
        actions={isReachable && target.mayRecover && <Recovery target={target} health={known} onDone={onSent} />}
      >
        <div class="card stack">
          <Loaded resource={health} tried={t('developers.health.tried')}>
            {(read) => <HealthFacts health={read} />}
          </Loaded>
        </div>
      </Section>
      <TargetChart target={name} />
      <DeliveryLog target={target} revision={revision.value} />
    </Page>
  );
}
