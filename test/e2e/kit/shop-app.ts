import { type FakeSend, startFakeShopware } from '#test/kit/fake-shopware.ts';
import { shopwareOrder, shopwareWritten } from '#test/kit/shopware-payloads.ts';
import type { Answer, Api } from './client.ts';

type Installation = Record<'getAppManifest' | 'registerApp' | 'confirmApp' | 'readOrder' | 'receiveAppEvent', Answer>;

/** A shop of shop_system_2 installs its app, tells of an order that the service then reads from it, and removes the app. */
export async function installApp(api: Api, key: string, slug: string): Promise<Installation> {
  const path = `/v1/shops/${slug}`;
  const answers = new Map<string, Answer>();
  const send: FakeSend = async (url, request) => {
    const response = await fetch(url, request);
    const text = await response.text();
    const { status, headers } = response;
    answers.set(new URL(url).pathname.replace(/.*\//, ''), { status, headers, text, body: undefined });
    return { status, text };
  };
  await using shop = await startFakeShopware({ send });
  await api('PATCH', path, { key, body: { shop_provider: 'shop_system_2' } });
  const getAppManifest = await api('GET', `${path}/shop-system/app/manifest`, { key });
  await shop.install(getAppManifest.text);
  shop.put(shopwareOrder());
  await shop.send(shopwareWritten());
  await shop.uninstall();
  return {
    getAppManifest,
    registerApp: answers.get('registration')!,
    confirmApp: answers.get('confirmation')!,
    readOrder: answers.get('order-update')!,
    receiveAppEvent: answers.get('lifecycle')!,
  };
}
