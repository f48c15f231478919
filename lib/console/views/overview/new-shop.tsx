import { currentShop, href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { CopyText } from '../../ui/copy.tsx';
import { Empty } from '../../ui/states.tsx';

/** What would be here, and how to get it. */
export function NewShop() {
  const order = '{ "id": "1001", "order": {}, "trackings": [{ "tracking_number": "00340434161094042557" }] }';
  const address = `${location.origin}/v1/shops/${currentShop.value}/orders`;
  const command = `curl -u USERNAME:SECRET -X PUT ${address} -H 'Content-Type: application/json' -d '${order}'`;
  return (
    <div class="stack">
      <Empty title={t('newShop.title')} text={t('newShop.text')} />
      <ol class="first-steps">
        <li>
          {t('newShop.order')}
          <CopyText text={command} />
        </li>
        {can('startSimulation') && (
          <li>
            <a href={href(inShop('/simulations/new'))}>{t('newShop.simulation')}</a>
          </li>
        )}
        {can('createWebhook') && (
          <li>
            <a href={href(inShop('/endpoints/new'))}>{t('newShop.endpoint')}</a>
          </li>
        )}
        <li>
          <a href="/docs" target="_blank" rel="noreferrer">
            {t('newShop.docs')}
          </a>
        </li>
      </ol>
    </div>
  );
}
