/**
 * What the examples have in common: one shop, one order in two parcels, one claim. All of it is invented. The service
 * generates the ids and secrets, so a test that plays the examples gets others and puts them in their places.
 */

export const slug = 'nordlicht-outdoor';

/** The moment at which the examples are sent. A test moves every time of a request by its distance from this one. */
export const storyBegins = '2026-11-16T09:00:00.000Z';

export const hosts = {
  service: 'https://api.example.com',
  images: 'https://images.example.com',
  shop: 'https://www.nordlicht-outdoor.example',
  shopSystem: 'https://admin.nordlicht-outdoor.example',
  receiver: 'https://hooks.nordlicht-outdoor.example',
  mailing: 'https://mailing.example',
};

export const ids = {
  shop: '01a1e395-cb4a-70d5-8d55-391e92634a01',
  internalTrigger: '01a1e397-97ea-7739-8884-34bb46c0d2c7',
  endpoint: '01a1e398-7e3a-7356-90d4-3238447f7516',
  automation: '01a1e398-b7ce-71a7-8e48-cd91430d7ff6',
  order: '01a1e399-2af6-730d-9b37-2e8452e32000',
  firstParcel: '01a1e399-2af6-730d-9b37-2e8452e32001',
  secondParcel: '01a1e399-2af6-730d-9b37-2e8452e32002',
  returnParcel: '01a1e399-2af6-730d-9b37-2e8452e32003',
  claim: '01a1e39a-846e-77f1-8d93-e67012830621',
  claimMessage: '01a1e39b-2706-7c4e-9a15-3d08b7f6e251',
  discount: '01a1e39b-8788-71be-aefd-a29e4f87cc4e',
  deal: '01a1e39b-c11c-7773-b6fd-e84183ea066c',
  campaign: '01a1e39c-3444-70eb-87a1-fe878e0e8d08',
  campaignProduct: '01a1e39c-3444-7045-90f1-d7eb742bd696',
  withdrawal: '01a1e39c-8a2e-7c19-b6d4-50e7f2a91c38',
  abTest: '01a1e39c-c436-7770-8d69-9333e32acf7e',
  announcement: '01a1e39d-375e-77ff-9659-0bf85fa6e5ee',
  registration: '01a1e39d-aa86-7204-ad28-987fb49f3c3c',
  image: '01a1e39a-67a4-7201-be0f-af07f2010bae',
  deliveredEvent: 'c8d5c5a0-59a3-5d0f-8e0b-2f6f8a1f7b11',
  deliveredDelivery: '01a1e39a-2e10-8b1d-9c55-70e3f1a2b6c4',
  erasedDelivery: '01a1e3d7-b1f1-8e47-a3c0-2d95e8b7f614',
  claimEvent: 'a7e1f6d2-0b7c-5b7e-9a57-61c0d94e2f08',
  claimDelivery: '01a1e39a-846e-8f20-a1b9-4d7c90e55d13',
  warehouseDelivery: '01a1e39a-846e-84c7-b3aa-0f9e6b21d7c8',
  mailDelivery: '01a1e39a-846e-8a36-8d41-5c20e7b9f382',
  run: '01a1e39a-846e-8d02-96e4-b1c57a30f4e9',
  testDelivery: '01a1e39e-90d6-823f-a24e-482986ff441d',
  simulation: '01a1e39f-1c44-7b2a-9d0e-5f6a7b8c9d0e',
  simulatedOrder: '01a1e39f-1c45-7c31-8a4b-0e1f2a3b4000',
  privacyRequest: '01a1e3a0-2b7c-7d15-8f3a-6c4e1d9b2a70',
  apiKey: 'ip5a8is56a2h57ka',
};

/** The token of the order's tracking page. */
export const pageToken = 'Zx4Vq0rT8mKcW2yHbN6uPA';

/** The token of the page of the simulated order. */
export const simulatedPageToken = 'Qm7Lw3sD9xTfB1nJkR5vEg';

/** What stands for the customer's address where it gets no e-mails, and the link with which the customer asked for that. */
export const addressHash = 'q3v0Yw8mK1tZc5rB7nHxPg';
export const unsubscribeToken = `${slug}.${pageToken}.${addressHash}.b9Rk2sVtX4pLq7wMhD1fJA`;

/** The hidden field of the form to report a problem. */
export const formKey = '1794820000000.c2FtcGxl.c2lnbmF0dXJlLW9mLXRoZS1mb3Jt';

/** What ticks the jacket in the form to withdraw. It is made from the product, so it is the same for everybody. */
export const tickedJacket = 'Ef5AcJZsuXYFl1I7jdGMse';

/** Where readers of the feed go on. */
export const feedCursors = {
  behindDelivered: 'WzcsMTc5NDgxOTgyMDExOCw0LDAsMTc5NDgxOTg5NDkzNywiYzFmNGRjMDAiXQ',
  behindErased: 'WzcsMTc5NDgxOTgyMDExOCw5LDAsMTc5NDgyMzkyNzQ0MSwiZWFhYTY3OTUiXQ',
  end: 'WzcsMTc5NDgxOTgyMDExOCw5LDAsMTc5NDgyNDEzMDAxNiwiZmM3YjNiZDEiXQ',
};

/** Nobody can take them for real ones, and neither can a program that searches for secrets. */
export const secrets = {
  apiKey: inventedSecret('api-key'),
  endpoint: `whsec_${inventedSecret('endpoint')}`,
  newEndpoint: `whsec_${inventedSecret('new-endpoint')}`,
  automation: `whsec_${inventedSecret('automation')}`,
  shopSystem: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
  app: 'ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100',
  appShop: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
};

function inventedSecret(name: string): string {
  return btoa(`invented-secret-of-the-${name}`.padEnd(33, '-'));
}

export const pageUrl = `${hosts.service}/t/${pageToken}`;

export const firstNumber = '00340434161094042557';
export const secondNumber = '00340434161094042564';

export const trackingUrl = (number: string) =>
  `https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode=${number}`;

const imagePath = `/private/images/${ids.shop}/claim/${ids.image}.jpg`;

export const imageUrl = hosts.images + imagePath;

export const signedImageUrl = `https://images.s3.eu-central-1.amazonaws.com${imagePath}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&X-Amz-Credential=AKIAEXAMPLE%2F20261116%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20261116T090516Z&X-Amz-Expires=600&X-Amz-Signature=6b88c18eb392ce7ea51bfce444e92117faca606c66e5c485fb4eef6dc52c7f16&X-Amz-SignedHeaders=host&x-amz-checksum-mode=ENABLED&x-id=GetObject`;

/** Of the API key. */
export const keyName = 'Shop system';
