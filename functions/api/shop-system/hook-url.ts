/** The address to which the shop's system sends webhooks of a type. */
export const hookUrl = (serviceUrl: string, slug: string, type: string): string =>
  `${shopSystemUrl(serviceUrl, slug)}/inbound/${type}`;

/** An address of the app of shop_system_2. */
export const appUrl = (serviceUrl: string, slug: string, part: 'registration' | 'confirmation' | 'lifecycle'): string =>
  `${shopSystemUrl(serviceUrl, slug)}/app/${part}`;

const shopSystemUrl = (serviceUrl: string, slug: string): string =>
  `${serviceUrl}/v1/shops/${encodeURIComponent(slug)}/shop-system`;
