import { parseArgs } from 'node:util';
import { makeArtwork } from './demo/artwork.ts';
import { makeClaims, makePastClaims } from './demo/claims.ts';
import { planHistory } from './demo/history.ts';
import { makeOrders, planOrders } from './demo/orders.ts';
import { makePromotions, orderDuringTest } from './demo/promotions.ts';
import { rateDeliveries } from './demo/ratings.ts';
import { startReceiver } from './demo/receiver.ts';
import { openService } from './demo/service.ts';
import { configure, makeShop, switchOnEmails } from './demo/shop.ts';
import { visitPages } from './demo/visits.ts';
import { isOnThisMachine, ownKey, ownUrl } from './local/own-service.ts';

const usage = `Make a shop with ten weeks of invented orders in a running service.

  npm run demo                       On the local stack, with its own key.
  npm run demo -- --orders 40        Fewer orders; the default is 150 in the last two weeks, and three times
                                     as many in the eight weeks before.
  npm run demo -- --no-receiver      Without the endpoint that fails now and then.
  npm run demo -- --url URL --key USERNAME:SECRET
                                     On another service, with a SuperAdmin key. One on another machine cannot
                                     reach the endpoint, so the shop is made without it.

The key is SUPERADMIN_KEY, else that of the local stack in DATA_DIR (default: .local).`;

const maxHistory = 900;

interface Options {
  url: string;
  key: string;
  orders: number;
  hasReceiver: boolean;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      orders: { type: 'string', default: '150' },
      'no-receiver': { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void console.log(usage);
  const orders = Number(values.orders);
  if (!Number.isInteger(orders) || orders < 1 || orders > 2000)
    throw new Error('--orders takes a number from 1 to 2000.');
  await makeDemo({
    url: (values.url ?? ownUrl()).replace(/\/+$/, ''),
    key: values.key ?? process.env.SUPERADMIN_KEY ?? ownKey(),
    orders,
    hasReceiver: !values['no-receiver'],
  });
}

async function makeDemo({ url, key, orders, hasReceiver }: Options): Promise<void> {
  const service = openService(url, key);
  const receiver = hasReceiver && isOnThisMachine(url) ? await startReceiver() : undefined;
  try {
    const { slug, shop } = await makeShop(service);
    console.log(`Shop ${slug}`);
    if (hasReceiver && !receiver) step('no endpoint, because the service cannot reach one on this machine');
    const artwork = await makeArtwork(shop);
    await configure(shop, artwork.logo, receiver?.url);
    step('settings, colours, a logo and pictures');
    const hasEmails = isOnThisMachine(url) && (await switchOnEmails(shop));
    const variants = await makePromotions(shop, artwork, receiver?.url);
    step('campaigns, discounts, deals, announcements, an A/B test and automations');
    const now = new Date();
    const past = await makeOrders(shop, planHistory(Math.min(3 * orders, maxHistory), now), artwork.products, now);
    step(`${past.orders} orders of past weeks with ${past.events} events`);
    const made = await makeOrders(shop, planOrders(orders, now), artwork.products, now);
    step(`${made.orders} orders of the last two weeks with ${made.events} events`);
    const settled = await makePastClaims(shop, past.delivered);
    step(`${await makeClaims(shop, made.delivered)} claims with photos, ${settled} that are settled`);
    const tested = await orderDuringTest(shop, artwork.products);
    step(`${tested} orders of customers in the A/B test`);
    const { seen, followed } = await visitPages(url, shop, variants);
    step(`${seen} customers looked at their page, ${followed} of them followed an offer`);
    step(`${await rateDeliveries(url, shop, past.orders + made.orders + tested)} ratings of deliveries`);
    if (hasEmails) step(`e-mails of what is newer than a day, at ${url}/mail`);
    console.log(`\nThe console: ${url}/console/s/${slug}/overview\nLog in with the link that npm start printed.`);
  } catch (error) {
    receiver?.stop();
    throw error;
  }
  if (!receiver) return;
  console.log('\nThe endpoint of the shop goes on receiving, and fails now and then. Ctrl-C ends it.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => receiver.stop());
}

const step = (what: string) => console.log(`  ${what}`);

main().catch((error: Error & { cause?: { code?: string } }) => {
  const isDown = error.cause?.code === 'ECONNREFUSED';
  console.error(isDown ? 'The service is not running. Start it with npm start.' : error.message);
  process.exit(1);
});
