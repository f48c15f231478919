import { type NotifiedIntegration, notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { integrationKind, integrationName } from '../../app/integration-name.ts';
import { href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { HealthCell, useHealths } from '../../ui/health-state.tsx';
import { RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';
import { healthColumns } from './health-columns.tsx';
import { integrationTarget } from './target.ts';

export default function Integrations() {
  const keys = useResource('keys', (signal) => call('listIntegrationKeys', { signal }));
  const healths = useHealths(notifiedIntegrations, (name, signal) => integrationTarget(name).health(signal));
  return (
    <Page title={t('developers.integrations.title')}>
      <p>{t('developers.integrations.intro')}</p>
      <Loaded resource={keys} tried={t('developers.integrations.tried')}>
        {(known) => (
          <Table<NotifiedIntegration>
            caption={t('developers.integrations.title')}
            rows={notifiedIntegrations}
            rowKey={(name) => name}
            columns={[
              {
                title: t('developers.integrations.name'),
                cell: (name) => (
                  <div class="stack tight">
                    <RowLink to={href(inShop(`/integrations/${name}`))}>{integrationName(name)}</RowLink>
                    <span class="muted">{secondLine(name)}</span>
                  </div>
                ),
              },
              { title: t('developers.integrations.key'), cell: (name) => <KeyState isSet={hasKey(known[name])} /> },
              { title: t('developers.health.title'), cell: (name) => <HealthCell healths={healths} id={name} /> },
              ...healthColumns<NotifiedIntegration>(healths, (name) => name),
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** A name that is no vendor's says what it is for already. */
const secondLine = (name: string): string =>
  integrationName(name).startsWith(integrationKind(name)) ? name : `${integrationKind(name)} · ${name}`;

export const hasKey = (key: unknown): boolean =>
  typeof key === 'object' && key !== null ? Object.values(key).some((part) => part !== null) : key !== null;

export const KeyState = ({ isSet }: { isSet: boolean }) => (
  <State tone={isSet ? 'arrived' : 'quiet'}>
    {t(isSet ? 'developers.integrations.hasKey' : 'developers.integrations.noKey')}
  </State>
);
