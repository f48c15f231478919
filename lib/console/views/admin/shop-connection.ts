import type { IntegrationId } from '#schemas/catalogues/integrations.ts';
import {
  type ShopSystem,
  type ShopWebhookType,
  shopSystems,
  shopWebhookTypes,
  topicOf,
} from '#schemas/catalogues/shop-webhooks.ts';

/** What is known of the connection to a shop's system. */
export interface Connection {
  provider: string | null;
  /** The key is stored, or the app is installed. */
  isConnected: boolean;
  /** The key was given for another server than that of the present address. */
  isKeyOutdated: boolean;
  /** Undefined: the user may not know the address. */
  hasAddress: boolean | undefined;
  registered: readonly { webhook_type: ShopWebhookType; topic: string }[];
  lastReceivedAt: string | null;
  /** The app was saved on this machine just now. */
  isAppSaved: boolean;
}

const isSystem = (provider: string | null): provider is ShopSystem =>
  (shopSystems as readonly (string | null)[]).includes(provider);

/** Without a choice the service takes webhooks as those of the first system: a shop that works so is shown so. */
export function systemOf({ provider, isConnected, registered, lastReceivedAt }: Connection): ShopSystem | undefined {
  if (isSystem(provider)) return provider;
  const isInUse = isConnected || registered.length > 0 || lastReceivedAt !== null;
  return isInUse ? 'shop_system_1' : undefined;
}

/** What the system has a webhook for. */
export const typesOf = (system: ShopSystem): ShopWebhookType[] =>
  shopWebhookTypes.filter((type) => topicOf(system, type) !== undefined);

/** What is registered at this system, and not at one that the shop had before. */
export const registeredAt = (system: ShopSystem, { registered }: Pick<Connection, 'registered'>) =>
  typesOf(system).filter((type) =>
    registered.some(({ webhook_type, topic }) => webhook_type === type && topic === topicOf(system, type)),
  );

/** The key by which the service calls the system. */
export const keyOf = {
  shop_system_1: 'integration_7',
  shop_system_2: 'shop_system_2',
  shop_system_3: 'shop_system_3',
} as const satisfies Record<ShopSystem, IntegrationId | 'shop_system_3'>;

/** `next` is the first that is not done. */
export type StepState = 'done' | 'next' | 'later';

/** Choose the system, give access, get the webhooks, place an order. */
export function stepStates(connection: Connection): StepState[] {
  const { provider, isConnected, isKeyOutdated, hasAddress, lastReceivedAt, isAppSaved } = connection;
  const system = systemOf(connection);
  const hasAccess = isConnected && !isKeyOutdated && hasAddress !== false;
  const isRegistered = system !== undefined && registeredAt(system, connection).length === typesOf(system).length;
  const isApp = system === 'shop_system_2';
  const done = [
    isSystem(provider),
    isApp ? isConnected || isAppSaved : hasAccess,
    isApp ? isConnected : isRegistered,
    lastReceivedAt !== null,
  ];
  const next = done.indexOf(false);
  return done.map((isDone, i) => (isDone ? 'done' : i === next ? 'next' : 'later'));
}

/** The version that the service knows: see functions/domain/vendors/shopify. */
const shopifyPath = '/admin/api/2026-10';

/**
 * The address for the service's calls, of what people copy from their browser: the shop's own address, that of its
 * administration, or one without `https://`. What is no address stays as it is, and the service says what is wrong with it.
 */
export function callAddress(system: ShopSystem, typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) return text;
  const { origin, hostname, pathname } = new URL(withScheme);
  if (system === 'shop_system_1') {
    const store = hostname === 'admin.shopify.com' ? /^\/store\/([\w-]+)/.exec(pathname)?.[1] : undefined;
    if (store) return `https://${store}.myshopify.com${shopifyPath}`;
    return pathname.startsWith('/admin/api/') || !hostname.endsWith('.myshopify.com')
      ? withScheme
      : origin + shopifyPath;
  }
  return origin + pathname.replace(/\/(wp-json|wp-admin|wp-login\.php)\b.*$/, '').replace(/\/+$/, '');
}
