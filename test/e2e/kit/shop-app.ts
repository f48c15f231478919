import { createHmac } from 'node:crypto';
import type { Answer, Api } from './client.ts';

const shopId = 'q7X2cbHi5hbjWmUK';
const shopUrl = 'https://www.example.com';

type Installation = Record<'getAppManifest' | 'registerApp' | 'confirmApp' | 'receiveAppEvent', Answer>;

/** Installs the app of a shop of shop_system_2 as the shop does it, and removes it again. */
export async function installApp(api: Api, key: string, slug: string): Promise<Installation> {
  const path = `/v1/shops/${slug}`;
  await api('PATCH', path, { key, body: { shop_provider: 'shop_system_2' } });
  const getAppManifest = await api('GET', `${path}/shop-system/app/manifest`, { key });
  const appSecret = /<secret>(.*)<\/secret>/.exec(getAppManifest.text)?.[1] ?? '';

  const query = { 'shop-id': shopId, 'shop-url': shopUrl, timestamp: String(Math.floor(Date.now() / 1000)) };
  const asSent = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const registerApp = await api('GET', `${path}/shop-system/app/registration`, {
    query,
    headers: { 'shopware-app-signature': hexSignatureOf(appSecret, asSent) },
  });

  const send = (rest: string, payload: object) => {
    const body = JSON.stringify(payload);
    const signature = hexSignatureOf(String(registerApp.body?.secret), body);
    const headers = { 'content-type': 'application/json', 'shopware-shop-signature': signature };
    return api('POST', `${path}/shop-system/app/${rest}`, { body, headers });
  };
  return {
    getAppManifest,
    registerApp,
    confirmApp: await send('confirmation', { apiKey: 'SWIAKEY', secretKey: 'secret', shopUrl, shopId }),
    receiveAppEvent: await send('lifecycle', {
      data: { payload: [], event: 'app.deleted' },
      source: { url: shopUrl, shopId },
    }),
  };
}

const hexSignatureOf = (secret: string, content: string): string =>
  createHmac('sha256', secret).update(content).digest('hex');
