import { retentionLimits as limits } from '#schemas/catalogues/limits.ts';
import type { RetentionUpdate, Retention as Stored } from '#schemas/families/privacy.ts';
import { call, callWithEtag } from '../../api/client.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { t } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Page } from '../../ui/parts.tsx';
import { PrivacyTabs } from './privacy-words.tsx';
import { daysIn, shortened } from './retention-rules.ts';
import { SettingsForm } from './settings-form.tsx';

type Values = Record<keyof Stored, string>;

const names = ['orders_days', 'claim_images_days', 'deliveries_days'] as const;

async function read() {
  const { answer, etag } = await callWithEtag('getRetention');
  const values = Object.fromEntries(names.map((name) => [name, answer[name]?.toString() ?? ''])) as Values;
  return { values, etag };
}

/** An empty field means for ever; of deliveries, as long as the service keeps them. What is no number the service refuses. */
function save(changes: Partial<Values>, ifMatch: string | undefined) {
  const days = ([name, text]: [string, string]) => {
    if (text.trim() !== '') return [name, daysIn(text) ?? text.trim()];
    return [name, name === 'deliveries_days' ? limits.deliveriesDays : null];
  };
  const body = Object.fromEntries(Object.entries(changes).map(days)) as RetentionUpdate;
  return call('updateRetention', { body, ifMatch });
}

/** What would go, said before it is saved. */
async function mayErase(changes: Partial<Values>, stored: Values): Promise<boolean> {
  const shorter = shortened(changes, stored);
  if (shorter.length === 0) return true;
  const said = shorter.map(([name, count]) => t(`admin.retention.asks.${name}`, { count }));
  const isSure = await confirm({
    title: t('admin.retention.askTitle'),
    text: [...said, t('admin.retention.askEnd')].join(' '),
    action: t('admin.retention.ask'),
  });
  return isSure === true;
}

function effectOf({ orders_days }: Values): string {
  const count = daysIn(orders_days);
  return count === undefined ? t('admin.retention.savedOff') : t('admin.retention.savedOn', { count });
}

/** How long the shop keeps what is about its customers. */
export default function Retention() {
  useTitle(t('admin.retention.title'));
  const bounds = { min: limits.minimumDays, max: limits.maximumDays };
  return (
    <Page title={t('admin.privacy.title')}>
      {can('listPrivacyRequests') && <PrivacyTabs />}
      <p>{t('admin.retention.intro')}</p>
      <SettingsForm<Values> read={read} save={save} before={mayErase} effect={effectOf} needs="updateRetention">
        {(form) => (
          <>
            <TextField
              label={t('admin.retention.orders')}
              help={t('admin.retention.ordersHelp', { ...bounds })}
              {...form.field('orders_days')}
              inputMode="numeric"
              placeholder={t('admin.retention.always')}
            />
            <TextField
              label={t('admin.retention.images')}
              help={t('admin.retention.imagesHelp', { ...bounds })}
              {...form.field('claim_images_days')}
              inputMode="numeric"
              placeholder={t('admin.retention.withOrder')}
            />
            <TextField
              label={t('admin.retention.deliveries')}
              help={t('admin.retention.deliveriesHelp', { max: limits.deliveriesDays })}
              {...form.field('deliveries_days')}
              inputMode="numeric"
            />
            <p class="help">{t('admin.retention.warning')}</p>
          </>
        )}
      </SettingsForm>
    </Page>
  );
}
