import { computed, signal } from '@preact/signals';

/** Everything below this path is the console's. */
const root = '/console';

interface Place {
  /** Without the root; it begins with a slash. */
  path: string;
  query: URLSearchParams;
}

export const place = signal<Place>({ path: '/', query: new URLSearchParams() });

/** The slug in the address of a shop's view. */
export const currentShop = computed(() => {
  const slug = /^\/s\/([^/]+)/.exec(place.value.path)?.[1];
  return slug === undefined ? undefined : decoded(slug);
});

/** Asked before the address changes: a form with unsaved changes refuses. */
const guards = new Set<() => boolean>();

export function guardLeaving(mayLeave: () => boolean): () => void {
  guards.add(mayLeave);
  return () => guards.delete(mayLeave);
}

export const mayLeave = (): boolean => [...guards].every((guard) => guard());

/** Loads the console anew, without a question: ask `mayLeave` before. */
export function startAnew(path: string): void {
  guards.clear();
  location.assign(root + path);
}

const placeOf = ({ pathname, search }: { pathname: string; search: string }): Place => ({
  path: pathname.slice(root.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(search),
});

/** A view stays when only its query changes, and keeps what was typed. */
const mayOpen = ({ path }: Place): boolean => path === place.value.path || mayLeave();

function pathOf({ path, query }: Place): string {
  const text = query.toString();
  return path + (text && `?${text}`);
}

export function startRouter(): void {
  place.value = placeOf(location);
  addEventListener('popstate', () => {
    const next = placeOf(location);
    // The browser has changed the address by now.
    if (mayOpen(next)) place.value = next;
    else history.pushState(null, '', root + pathOf(place.value));
  });
  addEventListener('beforeunload', (event) => {
    if (!mayLeave()) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const link = followed(event);
    if (!link) return;
    event.preventDefault();
    go(link.pathname.slice(root.length) + link.search);
  });
}

/** The link to another view of the console that a click follows, and that the browser need not load anew. */
function followed(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  const isOurs = link.pathname === root || link.pathname.startsWith(`${root}/`);
  return isOurs && !link.hash ? link : undefined;
}

/** Opens another view. `path` begins with a slash, and is below the root. */
export function go(path: string, { replace = false, force = false } = {}): void {
  const next = placeOf(new URL(root + path, location.origin));
  if (!force && !mayOpen(next)) return;
  const isSamePath = next.path === place.value.path;
  history[replace ? 'replaceState' : 'pushState'](null, '', root + path);
  place.value = next;
  if (!isSamePath) scrollTo(0, 0);
}

/** The path of a view of the shop that is open. */
export const inShop = (path: string): string => `/s/${encodeURIComponent(currentShop.value ?? '')}${path}`;

/** The address of a view, for links. */
export const href = (path: string): string => root + path;

/** Changes parts of the query: what lists show is in the address. An empty value leaves the name out. */
export function setQuery(changes: Record<string, string | number | undefined>, { replace = true } = {}): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  go(pathOf({ path: place.value.path, query }), { replace });
}

export type Params = Record<string, string>;

/** The values of a pattern such as `/s/:shop/orders/:id`, or undefined if the path is another one. */
export function match(pattern: string, path: string): Params | undefined {
  const names = pattern.split('/');
  const parts = path.split('/');
  if (names.length !== parts.length) return undefined;
  const params: Params = {};
  for (const [i, name] of names.entries()) {
    if (name.startsWith(':')) params[name.slice(1)] = decoded(parts[i]!);
    else if (name !== parts[i]) return undefined;
  }
  return params;
}

/** An address that somebody typed may hold what is no percent encoding. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
