import { useComputed } from '@preact/signals';
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { useResource } from '../api/resource.ts';
import { loadTexts, t } from '../texts/texts.ts';
import { ConfirmHost } from '../ui/confirm.tsx';
import { Sprite } from '../ui/icon.tsx';
import { Notices } from '../ui/notices.tsx';
import { FailureBox, Loaded } from '../ui/states.tsx';
import { KeyHelp } from './keys.tsx';
import { loadLogin } from './load-login.ts';
import type { ViewProps } from './route.ts';
import { go, inShop, match, place } from './router.ts';
import { type KnownRoute, routes } from './routes.ts';
import { isOffered, isSessionOver, isSuperAdmin, loadSession, session, startFailure } from './session.ts';
import { Shell } from './shell.tsx';
import { isSlug } from './shop-name.ts';
import { useTitle } from './title.ts';

export function App() {
  return (
    <>
      <Sprite />
      <Content />
      {isSessionOver.value && <LazyLogin isAgain />}
      <ConfirmHost />
      <KeyHelp />
      <Notices />
    </>
  );
}

function Content() {
  if (startFailure.value) {
    return (
      <main id="main" class="alone">
        <FailureBox failure={startFailure.value} tried={t('app.tried.start')} retry={loadSession} />
      </main>
    );
  }
  if (!session.value) return <LazyLogin />;
  return (
    <Shell>
      <View />
    </Shell>
  );
}

/** Most people are logged in already. */
function LazyLogin({ isAgain = false }: { isAgain?: boolean }) {
  const login = useResource('login', loadLogin);
  return (
    <Loaded resource={login} tried={t('app.tried.view')}>
      {({ Login, LoginAgain }) => (isAgain ? <LoginAgain /> : <Login />)}
    </Loaded>
  );
}

/** Its code is loaded when it is opened first. */
function LazyView({ route, params }: { route: Pick<KnownRoute, 'path' | 'title' | 'view' | 'areas'> } & ViewProps) {
  useTitle(t(route.title));
  const view = useResource(route.path, async () => {
    const [loaded] = await Promise.all([route.view(), ...route.areas.map(loadTexts)]);
    return loaded as { default: ComponentType<ViewProps> };
  });
  return (
    <>
      {/* The heading of a view that waits for its own, or cannot have it. */}
      <h1 class="stand-in">{t(route.title)}</h1>
      <Loaded resource={view} tried={t('app.tried.view')}>
        {({ default: Found }) => <Found params={params} />}
      </Loaded>
    </>
  );
}

/** The view of the address. */
function View() {
  const path = useComputed(() => place.value.path).value;
  if (isSlug(match('/s/:shop', path)?.shop ?? '')) return <ShopHome path={inShop('')} />;
  if (path === '/' || path === '/login' || path === '/shops') return <Start />;
  for (const route of routes) {
    const params = match(route.path, path);
    if (!params) continue;
    if (!isOffered(route)) return <NotAllowed />;
    return (
      <Boundary key={path}>
        <LazyView route={route} params={params} />
      </Boundary>
    );
  }
  return <NotFound />;
}

/** The address of a shop alone leads to its overview. */
function ShopHome({ path }: { path: string }) {
  useEffect(() => go(`${path}/overview`, { replace: true }), []);
  return null;
}

/** Few people have several shops to choose from. */
const shopChoice = {
  path: '/',
  title: 'app.shops.title',
  view: () => import('./shop-choice.tsx'),
  areas: ['work'],
} as const;

/** A key of one shop goes there at once. */
function Start() {
  const [only, ...others] = isSuperAdmin.value ? [] : session.value!.shops;
  if (only && others.length === 0) return <ShopHome path={`/s/${only.shop_slug}`} />;
  return <LazyView route={shopChoice} params={{}} />;
}

function NotFound() {
  useTitle(t('app.notFound.title'));
  return (
    <section class="page">
      <h1 tabIndex={-1}>{t('app.notFound.title')}</h1>
      <p>{t('app.notFound.text')}</p>
    </section>
  );
}

function NotAllowed() {
  useTitle(t('app.notAllowed.title'));
  return (
    <section class="page">
      <h1 tabIndex={-1}>{t('app.notAllowed.title')}</h1>
      <p>{t('app.notAllowed.text')}</p>
    </section>
  );
}

/** A fault of a view, or a view that could not be loaded, leaves the rest of the console usable. */
class Boundary extends Component<{ children: ComponentChildren }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <section class="page">
        <FailureBox failure={this.state.error} tried={t('app.tried.view')} retry={() => location.reload()} />
      </section>
    );
  }
}
