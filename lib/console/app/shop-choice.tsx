import { call } from '../api/client.ts';
import { useResource } from '../api/resource.ts';
import { t, wordOf } from '../texts/texts.ts';
import { Pager, pageOf, perPage } from '../ui/list.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { href } from './router.ts';
import { isSuperAdmin, session } from './session.ts';

export default function ShopChoice() {
  const { shops } = session.value!;
  return (
    <section class="page stack">
      <header class="page-head">
        <h1 tabIndex={-1}>{t('app.shops.title')}</h1>
        {isSuperAdmin.value && (
          <div class="actions">
            <CreateShop />
          </div>
        )}
      </header>
      {isSuperAdmin.value ? (
        <AllShops />
      ) : shops.length === 0 ? (
        <Empty title={t('shopChoice.noneOfKey')} text={t('shopChoice.noneOfKeyText')} />
      ) : (
        <ShopLinks
          shops={shops.map(({ shop_slug, role }) => ({ slug: shop_slug, note: wordOf('common.roles', role) }))}
        />
      )}
    </section>
  );
}

const CreateShop = () => (
  <a class="button main" href={href('/operator/shops/new')}>
    {t('shopChoice.create')}
  </a>
);

function AllShops() {
  const page = pageOf();
  const shops = useResource(`${page}`, (signal) => call('searchShops', { query: { page, per_page: perPage }, signal }));
  return (
    <Loaded resource={shops} tried={t('shopChoice.tried')}>
      {(list) =>
        list.length === 0 && page === 1 ? (
          <Empty title={t('shopChoice.none')} text={t('shopChoice.noneText')} icon="grid">
            <CreateShop />
          </Empty>
        ) : (
          <>
            <ShopLinks shops={list.map(({ slug, name }) => ({ slug, note: name }))} />
            <Pager shown={list.length} />
          </>
        )
      }
    </Loaded>
  );
}

function ShopLinks({ shops }: { shops: { slug: string; note: string }[] }) {
  return (
    <ul class="cards">
      {shops.map(({ slug, note }) => (
        <li key={slug}>
          <a class="card link-card" href={href(`/s/${encodeURIComponent(slug)}/overview`)}>
            <strong>{note}</strong>
            <span class="muted">{slug}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
