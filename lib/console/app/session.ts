import { operations } from 'console:operations';
import { computed, signal } from '@preact/signals';
import { shopRoles } from '#schemas/catalogues/enumerations.ts';
import { type Answer, call, Failure, type OperationId, surroundings } from '../api/client.ts';
import { currentShop } from './router.ts';

export type Session = Answer<'createSession'>;

/** Undefined while nobody is logged in. */
export const session = signal<Session | undefined>(undefined);

/** The session ended while somebody worked: they log in again and go on where they were. */
export const isSessionOver = signal(false);

/** Why the console could not ask who is logged in. */
export const startFailure = signal<Failure | undefined>(undefined);

surroundings.shop = () => currentShop.value;
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

/** The secret is sent once and kept nowhere: the browser keeps a cookie that no script can read. */
export async function logIn(username: string, secret: string): Promise<void> {
  const bytes = new TextEncoder().encode(`${username}:${secret}`);
  const basic = btoa(String.fromCharCode(...bytes));
  const response = await fetch('/v1/sessions', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { Authorization: `Basic ${basic}` },
  }).catch(() => {
    throw new Failure('network', {});
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const correlationId = response.headers.get('x-correlation-id') ?? undefined;
    throw new Failure('api', { status: response.status, ...body, faults: body.errors ?? [], correlationId });
  }
  const before = session.value;
  isSessionOver.value = false;
  session.value = body as Session;
  // Somebody else goes on from the beginning, and not in the middle of what the first one did.
  if (before && before.username !== session.value.username) location.assign('/console/');
}

export async function logOut(): Promise<void> {
  await call('deleteSession').catch((error) => {
    if (!(error instanceof Failure) || error.status !== 401) throw error;
  });
  // A new start forgets everything that the views read.
  location.assign('/console/login');
}

export const isSuperAdmin = computed(() => session.value?.role === 'superadmin');

const role = computed(() => {
  const { shops = [] } = session.value ?? {};
  return shops.find(({ shop_slug }) => shop_slug === currentShop.value)?.role;
});

/** Whether the user's role in the shop that is open allows the operation. */
export function can(id: OperationId): boolean {
  if (isSuperAdmin.value) return true;
  const needed = operations[id]?.split(' ')[2];
  if (needed === 'open' || needed === 'session') return true;
  const own = role.value;
  return own !== undefined && shopRoles.indexOf(own) >= shopRoles.indexOf(needed as (typeof shopRoles)[number]);
}
