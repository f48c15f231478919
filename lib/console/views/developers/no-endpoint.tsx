import { href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { Empty } from '../../ui/states.tsx';

/** Somebody has deleted it, or the address is wrong. */
export const NoEndpoint = () => (
  <Empty title={t('developers.endpoint.gone')} text={t('developers.endpoint.goneText')} icon="link">
    <a class="button" href={href(inShop('/endpoints'))}>
      {t('developers.endpoints.title')}
    </a>
  </Empty>
);
