import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';
import { providerName } from './words.ts';

/** The companies that watch parcels for us. */
export default function Providers() {
  const providers = useResource('providers', (signal) => call('listTrackingProviders', { signal }));
  return (
    <Page title={t('operator.providers.title')}>
      <p>{t('operator.providers.intro')}</p>
      <Loaded resource={providers} tried={t('operator.providers.tried')}>
        {(list) => {
          const found = (name: string) => list.find(({ provider }) => provider === name);
          return (
            <Table
              caption={t('operator.providers.title')}
              rows={trackingProviders}
              rowKey={(name) => name}
              columns={[
                {
                  title: t('operator.providers.provider'),
                  cell: (name) => <RowLink to={href(`/operator/providers/${name}`)}>{providerName(name)}</RowLink>,
                },
                {
                  title: t('admin.notifications.state'),
                  cell: (name) =>
                    found(name) ? (
                      <State tone="arrived">{t('operator.providers.set')}</State>
                    ) : (
                      <State tone="quiet">{t('operator.providers.unset')}</State>
                    ),
                },
                {
                  title: t('operator.providers.priority'),
                  cell: (name) => found(name)?.priority ?? '–',
                  isNumber: true,
                },
                {
                  title: t('operator.providers.carriers'),
                  cell: (name) => {
                    const provider = found(name);
                    if (!provider) return '–';
                    return provider.carriers.length === 0 ? t('common.all') : provider.carriers.join(', ');
                  },
                  isMinor: true,
                },
              ]}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}
