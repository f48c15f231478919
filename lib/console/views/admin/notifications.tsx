import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { integrationName } from '../../app/integration-name.ts';
import { href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { State } from '../../ui/tone.tsx';
import { reasonText } from './words.ts';

type Sum = Answer<'listNotifications'>[number];

/** A switch that is off is a decision. Everything else that keeps events away needs somebody. */
export const toneOf = ({ active, reason }: Sum['effective']) => {
  if (active) return 'arrived';
  return reason === 'switch_off' || reason === 'status_off' ? 'quiet' : 'attention';
};

/** What each integration gets, when all settings are taken together. */
export default function Notifications() {
  const sums = useResource('notifications', (signal) => call('listNotifications', { signal }));
  return (
    <Page title={t('admin.notifications.title')}>
      <p>{t('admin.notifications.intro')}</p>
      <Loaded resource={sums} tried={t('admin.tried.read')}>
        {(rows) => (
          <Table
            caption={t('admin.notifications.title')}
            rows={rows}
            rowKey={({ integration }) => integration}
            columns={[
              {
                title: t('admin.notifications.integration'),
                cell: ({ integration }) => (
                  <RowLink to={href(inShop(`/settings/notifications/${integration}`))}>
                    {integrationName(integration)}
                  </RowLink>
                ),
              },
              {
                title: t('admin.notifications.state'),
                cell: ({ effective }) => <State tone={toneOf(effective)}>{reasonText(effective.reason)}</State>,
              },
              {
                title: t('admin.notifications.gets'),
                cell: ({ event_groups }) =>
                  event_groups.length === 0
                    ? t('common.none')
                    : t('admin.notifications.groups', { count: event_groups.length }),
              },
              {
                title: t('admin.notifications.age'),
                cell: ({ stale_event_threshold }) => t('admin.hours', { count: stale_event_threshold }),
                isNumber: true,
                isMinor: true,
              },
              {
                title: t('admin.notifications.triggers'),
                cell: ({ internal_triggers }) => internal_triggers.length,
                isNumber: true,
              },
              {
                title: t('admin.notifications.segments'),
                cell: ({ fetches_segments }) => t(fetches_segments ? 'common.yes' : 'common.no'),
                isMinor: true,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}
