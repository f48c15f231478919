import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type ConsoleLanguage, chooseLanguage, language, languages, t } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { notify } from '../ui/notices.tsx';
import { textOf } from '../ui/states.tsx';
import { type NavGroup, navGroups, type Route } from './route.ts';
import { currentShop, decoded, go, href, inShop, place } from './router.ts';
import { routes } from './routes.ts';
import { can, isOffered, isSuperAdmin, logOut, session } from './session.ts';
import { shopName, useShopName } from './shop-name.ts';
import { applyTheme, type Theme, theme } from './theme.ts';

/** The frame of every view: where one is, where one can go, and the search. */
export function Shell({ children }: { children: ComponentChildren }) {
  const isMenuOpen = useSignal(false);
  const main = useRef<HTMLElement>(null);
  const { path } = place.value;
  useShopName();
  const isFirst = useRef(true);
  useEffect(() => {
    isMenuOpen.value = false;
    // A screen reader goes on with the new view, and the keyboard too.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t('app.skip')}
      </a>
      <header class="bar">
        <Button
          kind="plain"
          class="menu-button"
          aria-expanded={isMenuOpen.value}
          aria-controls="nav"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          <Icon name="menu" /> <span class="menu-word">{t('app.menu')}</span>
        </Button>
        <a class="name" href={href('/')} title={currentShop.value}>
          {currentShop.value === undefined ? t('app.name') : shopName.value}
        </a>
        {currentShop.value && can('searchOrders') && <SearchBox />}
        <UserMenu />
      </header>
      <nav id="nav" class={isMenuOpen.value ? 'nav open' : 'nav'} aria-label={t('app.navigation')}>
        {navGroups.map((group) => (
          <Group key={group} group={group} />
        ))}
      </nav>
      <main id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
    </div>
  );
}

function Group({ group }: { group: NavGroup }) {
  const offered = routes.filter((route) => route.nav?.group === group && isReachable(route));
  if (offered.length === 0) return null;
  return (
    <section>
      {group !== 'overview' && <h2 id={`nav-${group}`}>{t(`app.groups.${group}`)}</h2>}
      <ul {...(group !== 'overview' && { 'aria-labelledby': `nav-${group}` })}>
        {offered.map((route) => (
          <li key={route.path}>
            <NavLink route={route} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A view of a shop needs one that is open. */
function isReachable(route: Route): boolean {
  if (route.path.startsWith('/s/') && currentShop.value === undefined) return false;
  return isOffered(route);
}

function NavLink({ route }: { route: Route }) {
  const path = route.path.startsWith('/s/:shop') ? inShop(route.path.slice('/s/:shop'.length)) : route.path;
  const here = decoded(place.value.path);
  const isCurrent = here === decoded(path) || here.startsWith(`${decoded(path)}/`);
  return (
    <a href={href(path)} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={route.nav!.icon} /> {t(route.title)}
    </a>
  );
}

function SearchBox() {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = String(new FormData(event.currentTarget).get('q')).trim();
    if (q !== '') go(inShop(`/search?q=${encodeURIComponent(q)}`));
  };
  const isSearch = place.value.path.endsWith('/search');
  return (
    <search class="search">
      <form onSubmit={submit}>
        <label class="hidden" for="search">
          {t('app.search.label')}
        </label>
        <input
          id="search"
          name="q"
          type="search"
          autocomplete="off"
          placeholder={t('app.search.placeholder')}
          defaultValue={isSearch ? (place.value.query.get('q') ?? '') : ''}
          key={isSearch ? place.value.query.get('q') : ''}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}

const themes: Theme[] = ['system', 'light', 'dark'];

function UserMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = details.current;
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (!menu?.open || (event instanceof KeyboardEvent ? !isEscape : menu.contains(event.target as Node))) return;
      menu.open = false;
      if (isEscape) menu.querySelector('summary')?.focus();
    };
    document.addEventListener('click', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details class="user" ref={details}>
      <summary>
        <Icon name="user" /> <span class="user-name">{session.value!.username}</span>
      </summary>
      <div class="user-menu card stack">
        {(isSuperAdmin.value || session.value!.shops.length > 1) && <a href={href('/shops')}>{t('app.shops.title')}</a>}
        <label class="field">
          <span>{t('app.theme.label')}</span>
          <select onChange={(event) => applyTheme(event.currentTarget.value as Theme)}>
            {themes.map((one) => (
              <option key={one} value={one} selected={one === theme.value}>
                {t(`app.theme.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t('app.language')}</span>
          <select onChange={(event) => chooseLanguage(event.currentTarget.value as ConsoleLanguage)}>
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag} selected={tag === language.value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <a href="/docs" target="_blank" rel="noreferrer">
          {t('app.docs')}
        </a>
        <Button onClick={() => logOut().catch((error) => notify(textOf(error), 'failed'))}>{t('app.logOut')}</Button>
      </div>
    </details>
  );
}
