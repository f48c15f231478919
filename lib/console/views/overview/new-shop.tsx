import { currentShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { CopyText } from '../../ui/copy.tsx';
import { Empty } from '../../ui/states.tsx';

/** What would be here, and how to get it. */
export function NewShop() {
  const order = '{ "id": "1001", "order": {}, "trackings": [{ "tracking_number": "00340434161094042557" }] }';
  const address = `${location.origin}/v1/shops/${currentShop.value}/orders`;
  const command = `curl -u USERNAME:SECRET -X PUT ${address} -H 'Content-Type: application/json' -d '${order}'`;
  // Who runs the service on their own machine has its code.
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);
  return (
    <div class="stack">
      <Empty title={t('overview.empty.title')} text={t('overview.empty.text')} />
      <ol class="first-steps">
        <li>
          {t('overview.empty.order')}
          <CopyText text={command} />
        </li>
        {isLocal && (
          <li>
            {t('overview.empty.demo')}
            <CopyText text="npm run demo" />
          </li>
        )}
        <li>
          <a href="/docs" target="_blank" rel="noreferrer">
            {t('overview.empty.docs')}
          </a>
        </li>
      </ol>
    </div>
  );
}
