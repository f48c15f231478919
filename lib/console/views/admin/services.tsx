import { useRef } from 'preact/hooks';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { call, callWithEtag } from '../../api/client.ts';
import { integrationName } from '../../app/integration-name.ts';
import { t } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.tsx';
import { CheckField } from '../../ui/fields.tsx';
import { Page } from '../../ui/parts.tsx';
import { type SaveMore, SettingsForm, type Stored } from './settings-form.tsx';

/** The shop's own system has no segments. */
const withSegments = notifiedIntegrations.filter((id) => id !== 'integration_7');

type Values = { shipment_updates: boolean; products: boolean; feed: boolean } & Record<string, boolean>;

async function read(): Promise<Stored<Values>> {
  const [{ answer, etag }, { feed_enabled: feed }] = await Promise.all([
    callWithEtag('getSettings'),
    call('getEventSettings'),
  ]);
  const values = {
    shipment_updates: answer.carriers.shipment_updates,
    // Never set means that they are shown.
    products: answer.campaigns.product_recommendations_enabled !== false,
    feed,
    ...Object.fromEntries(withSegments.map((id) => [id, answer.segments[id]])),
  };
  return { values: values as Values, etag };
}

/** Each request goes on from the state that the one before left, unless the user wants to save whatever is there. */
async function save(
  { shipment_updates, products, feed, ...segments }: Partial<Values>,
  ifMatch: string | undefined,
  { onPart }: SaveMore<Values>,
) {
  let tag = ifMatch;
  const next = (part: Partial<Values>, etag: string | undefined) => {
    if (ifMatch !== undefined) tag = etag;
    onPart(part, etag);
  };
  if (shipment_updates !== undefined)
    next(
      { shipment_updates },
      (await callWithEtag('updateCarrierSettings', { body: { shipment_updates }, ifMatch: tag })).etag,
    );
  if (Object.keys(segments).length > 0)
    next(
      segments as Partial<Values>,
      (await callWithEtag('updateSegmentSwitches', { body: segments, ifMatch: tag })).etag,
    );
  if (products !== undefined) {
    const body = { product_recommendations_enabled: products };
    next({ products }, (await callWithEtag('updateCampaignSettings', { body, ifMatch: tag })).etag);
  }
  if (feed !== undefined) {
    // It has a state of its own. Whoever switched it in between wanted the same.
    await call('updateEventSettings', { body: { feed_enabled: feed } });
    onPart({ feed }, tag);
  }
}

/** What would go, said before it is saved. */
async function mayEnd({ feed }: Partial<Values>): Promise<boolean> {
  if (feed !== false) return true;
  const isSure = await confirm({
    title: t('admin.services.feedAskTitle'),
    text: t('admin.services.feedAskText'),
    action: t('admin.services.feedAsk'),
  });
  return isSure === true;
}

function effectOf(feed: boolean | undefined): string {
  if (feed === undefined) return t('admin.saved');
  return t(feed ? 'admin.services.feedIsOn' : 'admin.services.feedIsOff');
}

/** What the service does for the shop besides notifications: carrier updates, segments, campaigns, the feed of events. */
export default function Services() {
  const switched = useRef<boolean | undefined>(undefined);
  return (
    <Page title={t('admin.services.title')}>
      <SettingsForm<Values>
        read={read}
        save={(changes, ...rest) => {
          switched.current = changes.feed;
          return save(changes, ...rest);
        }}
        before={mayEnd}
        effect={() => effectOf(switched.current)}
        needs="updateCarrierSettings"
      >
        {(form) => (
          <>
            <h2>{t('admin.services.carriers')}</h2>
            <CheckField
              label={t('admin.services.updates')}
              help={t('admin.services.updatesHelp')}
              {...form.field('shipment_updates')}
            />
            <h2>{t('admin.services.campaigns')}</h2>
            <CheckField
              label={t('admin.services.products')}
              help={t('admin.services.productsHelp')}
              {...form.field('products')}
            />
            <fieldset>
              <legend>{t('admin.services.segments')}</legend>
              <p class="help">{t('admin.services.segmentsHelp')}</p>
              {withSegments.map((id) => (
                <CheckField key={id} label={integrationName(id)} {...form.field(id)} />
              ))}
            </fieldset>
            <h2>{t('admin.services.feed')}</h2>
            <CheckField
              label={t('admin.services.feedOn')}
              help={t('admin.services.feedHelp')}
              {...form.field('feed')}
            />
          </>
        )}
      </SettingsForm>
    </Page>
  );
}
