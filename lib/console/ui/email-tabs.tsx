import { inShop } from '../app/router.ts';
import { can } from '../app/session.ts';
import { t } from '../texts/texts.ts';
import { Tabs } from './parts.tsx';

export const emailLogPath = () => inShop('/settings/emails/log');

/** What is about the e-mails to customers: what is sent, what was sent, and who gets none. */
export const EmailTabs = () => (
  <Tabs
    label={t('deliveries.emails.title')}
    tabs={[
      { path: inShop('/settings/emails'), title: t('deliveries.emails.settings') },
      ...(can('listIntegrationDeliveries') ? [{ path: emailLogPath(), title: t('deliveries.emails.log') }] : []),
      ...(can('listSuppressions')
        ? [{ path: inShop('/settings/emails/suppressed'), title: t('deliveries.emails.suppressed') }]
        : []),
    ]}
  />
);
