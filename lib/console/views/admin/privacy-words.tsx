import { personalStores } from '#schemas/catalogues/personal-stores.ts';
import type { PrivacyRequest } from '#schemas/families/privacy.ts';
import { inShop } from '../../app/router.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Table } from '../../ui/list.tsx';
import { Tabs } from '../../ui/parts.tsx';
import { State, tones } from '../../ui/tone.tsx';

export const PrivacyTabs = () => (
  <Tabs
    label={t('admin.privacy.title')}
    tabs={[
      { path: inShop('/settings/privacy'), title: t('admin.privacy.requests') },
      { path: inShop('/settings/privacy/retention'), title: t('admin.retention.title') },
    ]}
  />
);

export const kindWord = ({ kind, dry_run }: Pick<PrivacyRequest, 'kind' | 'dry_run'>): string =>
  t(dry_run ? `admin.privacy.counted.${kind}` : `admin.privacy.kinds.${kind}`);

export const RequestState = ({ status }: Pick<PrivacyRequest, 'status'>) => (
  <State tone={tones.privacy[status]}>{t(`admin.privacy.states.${status}`)}</State>
);

/** How far a request is that runs. */
export const progressText = (orders: number): string =>
  orders === 0 ? t('admin.privacy.outcomes.running') : t('admin.privacy.outcomes.working', { count: orders });

/** The places as the catalogue orders them: the order itself first. One that it does not know yet comes last. */
const inOrder = (stores: PrivacyRequest['stores']) => {
  const placeOf = (store: string) =>
    (personalStores as readonly string[]).indexOf(store) + 1 || personalStores.length + 1;
  return stores.toSorted((a, b) => placeOf(a.store) - placeOf(b.store));
};

/** What was found where. */
export function StoresTable({ request }: { request: PrivacyRequest }) {
  const { stores, kind, dry_run } = request;
  const isErasure = kind === 'erasure';
  return (
    <>
      <Table
        caption={t('admin.privacy.found')}
        rows={inOrder(stores)}
        rowKey={({ store }) => store}
        columns={[
          {
            title: t('admin.privacy.store'),
            cell: ({ store }) => <strong>{wordOf('admin.privacy.stores', store)}</strong>,
          },
          { title: t('admin.privacy.foundCount'), cell: ({ found }) => found, isNumber: true },
          ...(isErasure
            ? [
                {
                  title: t(dry_run ? 'admin.privacy.wouldGo' : 'admin.privacy.erased'),
                  cell: ({ erased }: PrivacyRequest['stores'][number]) => erased,
                  isNumber: true,
                },
                {
                  title: t('admin.privacy.kept'),
                  cell: ({ kept }: PrivacyRequest['stores'][number]) => kept,
                  isNumber: true,
                },
              ]
            : []),
        ]}
      />
      {isErasure && <p class="help">{t('admin.privacy.keptBecause')}</p>}
    </>
  );
}
