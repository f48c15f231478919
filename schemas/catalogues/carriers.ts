/** The carriers that the service knows, by the reference that the API uses, as people call them. */
export const carrierNames = {
  dhl: 'DHL Paket',
  ups: 'UPS',
  hrs: 'Hermes',
  dpd: 'DPD',
  gls: 'GLS',
  dhlexp: 'DHL Express',
  depost: 'Deutsche Post',
  amz: 'Amazon Logistics',
  postat: 'Österreichische Post',
  swisspost: 'Swiss Post',
  royalmail: 'Royal Mail',
  dpduk: 'DPD UK',
  gls_es: 'GLS Spain',
  brt: 'BRT',
  postnl_inter: 'PostNL International',
  bpost: 'bpost',
  postnord: 'PostNord',
  bring: 'Bring',
  posti: 'Posti',
  dao: 'dao',
  anpost: 'An Post',
  usps: 'USPS',
  fedex: 'FedEx',
  dachser: 'Dachser',
  goexp: 'GO! Express & Logistics',
  parcelone: 'PARCEL.ONE',
  asendia_de: 'Asendia Germany',
} as const;

/** A reference that is newer than the names is shown as it is. */
export const carrierNameOf = (reference: string): string =>
  (carrierNames as Record<string, string>)[reference] ?? reference;
