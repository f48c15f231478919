import { computed, signal } from '@preact/signals';
import { createPlainClient } from '#schemas/client/client.ts';
import { operations } from '#schemas/client/operations.ts';
import { type Answer, call, Failure, failureOf, maxWaitMs, type OperationId, surroundings } from '../api/client.ts';
import { loadErrorWords } from '../texts/errors.ts';
import { isEnough } from './rights.ts';
import type { Route } from './route.ts';
import { currentShop, mayLeave, startAnew } from './router.ts';

export type Session = Answer<'createSession'>;

/** Undefined while nobody is logged in. */
export const session = signal<Session | undefined>(undefined);

/** The session ended while somebody worked: they log in again and go on where they were. */
export const isSessionOver = signal(false);

/** Why the console could not ask who is logged in. */
export const startFailure = signal<Failure | undefined>(undefined);

surroundings.shop = () => currentShop.value;
surroundings.beforeFailure = loadErrorWords;
surroundings.onSessionOver = () => {
  if (session.value) isSessionOver.value = true;
};

export async function loadSession(): Promise<void> {
  startFailure.value = undefined;
  try {
    session.value = await call('getSession');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status !== 401 && error.status !== 403) startFailure.value = error;
  }
}

/** Somebody may have logged out in another tab, or in as somebody else, while this one was hidden. */
export function followOtherTabs(): void {
  document.addEventListener('visibilitychange', async () => {
    const before = session.value;
    if (document.visibilityState !== 'visible' || !before) return;
    // If the session is gone, `call` says so itself. Other failures show when somebody does something.
    const found = await call('getSession').catch(() => undefined);
    if (!found) return;
    if (found.username !== before.username) return location.reload();
    session.value = found;
    isSessionOver.value = false;
  });
}

/** The secret is sent once and kept nowhere: the browser keeps a cookie that no script can read. */
export async function logIn(username: string, secret: string): Promise<void> {
  const client = createPlainClient({ key: `${username}:${secret}`, timeoutMs: maxWaitMs, retries: 0 });
  const before = session.value;
  const begun = await client.createSession().catch(async (error) => {
    throw await failureOf(error);
  });
  isSessionOver.value = false;
  session.value = begun;
  // Somebody else goes on from the beginning, and not in the middle of what the first one did.
  if (before && before.username !== session.value.username) location.assign('/console/');
}

export async function logOut(): Promise<void> {
  if (!mayLeave()) return;
  await call('deleteSession').catch((error) => {
    if (!(error instanceof Failure) || error.status !== 401) throw error;
  });
  // A new start forgets everything that the views read.
  startAnew('/login');
}

export const isSuperAdmin = computed(() => session.value?.role === 'superadmin');

const role = computed(() => {
  const { shops = [] } = session.value ?? {};
  return shops.find(({ shop_slug }) => shop_slug === currentShop.value)?.role;
});

/** Whether the user's role in the shop that is open allows the operation. */
export function can(id: OperationId): boolean {
  if (isSuperAdmin.value) return true;
  return isEnough(role.value, operations[id]?.split(' ')[2] ?? '');
}

/** Whether the navigation offers a view. */
export const isOffered = ({ needs, path }: Route): boolean =>
  path.startsWith('/operator') ? isSuperAdmin.value : can(needs);
