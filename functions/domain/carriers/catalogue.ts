import { carrierNames } from '#schemas/catalogues/carriers.ts';
import {
  dhlExpressModulo7,
  dhlIdentcode,
  fedexExpress,
  fedexGround96,
  glsModulo10,
  gs1,
  iso7064Mod37And36,
  type NumberFormat,
  postalItem,
  upsModulo10,
  upuS10,
  uspsImpb,
} from './number-format.ts';

export interface Carrier {
  readonly name: string;
  /** What shops write as `tracking_company`. If a text names several carriers, the number decides. */
  readonly aliases: readonly string[];
  /** The public tracking page, or null if no page can be opened with the number alone. */
  readonly trackingUrl: string | null;
  /** The countries where the carrier itself delivers. Empty if it delivers everywhere. */
  readonly markets: readonly string[];
  /** Empty if no published rule identifies the carrier's numbers. Then only its name leads to it. */
  readonly formats: readonly NumberFormat[];
}

/** The order decides between candidates with the same score: carriers with more parcels come first. */
const carriers = {
  dhl: {
    name: carrierNames.dhl,
    aliases: ['DHL', 'DHL Paket', 'DHL Germany', 'DHL Deutschland', 'DHL Parcel', 'Deutsche Post DHL', 'DHL Warenpost'],
    trackingUrl: 'https://www.dhl.de/de/privatkunden/pakete-empfangen/verfolgen.html?piececode={number}',
    markets: ['DE'],
    formats: [
      {
        name: 'DHL shipment (00340433…, 00340434…)',
        pattern: /^0034043[34]\d{12}$/,
        distinctness: 'exclusive',
        requires: gs1,
      },
      { name: 'German shipping unit (0034…)', pattern: /^0034\d{16}$/, distinctness: 'typical', requires: gs1 },
      postalItem('DE', '[CEH]'),
      postalItem('DE', '(?![CEH])[A-Z]', 'shared'),
      { name: 'DHL Identcode of 12 digits', pattern: /^\d{12}$/, distinctness: 'shared', requires: dhlIdentcode },
      { name: 'DHL piece (JJD…)', pattern: /^JJD[1-9]\d{12,23}$/, distinctness: 'exclusive' },
      { name: 'DHL piece (JJD0…)', pattern: /^JJD0\d{8,23}$/, distinctness: 'shared' },
      { name: 'DHL Parcel piece (JVGL…)', pattern: /^JVGL\d{8,20}$/, distinctness: 'typical' },
      { name: 'Benelux parcel (3S…)', pattern: /^3S[A-Z]{4}\d{6,12}$/, distinctness: 'shared' },
    ],
  },
  ups: {
    name: carrierNames.ups,
    aliases: ['UPS', 'United Parcel Service'],
    trackingUrl: 'https://www.ups.com/track?tracknum={number}',
    markets: [],
    formats: [
      { name: 'UPS parcel (1Z…)', pattern: /^1Z[A-Z0-9]{15}\d$/, distinctness: 'exclusive', requires: upsModulo10 },
      { name: 'UPS waybill', pattern: /^[AHJKTV]\d{10}$/, distinctness: 'typical', requires: upsModulo10 },
    ],
  },
  hrs: {
    name: carrierNames.hrs,
    aliases: ['Hermes', 'Hermes Germany', 'Hermes Deutschland', 'myHermes', 'Hermes Logistik', 'Hermesworld'],
    trackingUrl: 'https://www.myhermes.de/empfangen/sendungsverfolgung/sendungsinformation#{number}',
    markets: ['DE', 'AT'],
    formats: [
      { name: 'Hermes shipment (H and 19 digits)', pattern: /^H\d{19}$/, distinctness: 'exclusive' },
      { name: 'Hermes shipment of 14 digits', pattern: /^\d{14}$/, distinctness: 'shared', indicatedBy: gs1 },
    ],
  },
  dpd: {
    name: carrierNames.dpd,
    aliases: ['DPD', 'DPD Germany', 'DPD Deutschland', 'DPD Austria', 'DPD Group', 'Dynamic Parcel Distribution'],
    trackingUrl: 'https://tracking.dpd.de/status/de_DE/parcel/{number}',
    markets: ['DE', 'AT', 'NL', 'BE', 'LU', 'CH', 'PL', 'CZ', 'FR'],
    formats: [
      {
        name: 'DPD parcel of 14 digits and a check letter',
        pattern: /^\d{14}[A-Z]$/,
        distinctness: 'exclusive',
        requires: iso7064Mod37And36,
      },
      {
        name: 'DPD parcel of 14 digits and a check digit',
        pattern: /^\d{15}$/,
        distinctness: 'shared',
        requires: iso7064Mod37And36,
      },
      { name: 'DPD parcel of 14 digits', pattern: /^\d{14}$/, distinctness: 'shared' },
    ],
  },
  gls: {
    name: carrierNames.gls,
    aliases: ['GLS', 'GLS Germany', 'GLS Deutschland', 'GLS Group', 'General Logistics Systems'],
    trackingUrl: 'https://gls-group.com/GROUP/en/parcel-tracking?match={number}',
    markets: ['DE', 'AT', 'DK', 'NL', 'BE', 'LU', 'FR', 'IT', 'PL', 'CZ', 'SK', 'HU', 'SI', 'HR', 'RO', 'IE', 'PT'],
    formats: [
      { name: 'GLS parcel of 11 digits', pattern: /^\d{11}$/, distinctness: 'typical' },
      {
        name: 'GLS parcel of 11 digits and a check digit',
        pattern: /^\d{12}$/,
        distinctness: 'shared',
        requires: glsModulo10,
      },
      {
        name: 'GLS track ID of 8 letters and digits',
        pattern: /^(?=\d*[A-Z])(?=[A-Z]*\d)[A-Z\d]{8}$/,
        distinctness: 'shared',
      },
    ],
  },
  dhlexp: {
    name: carrierNames.dhlexp,
    aliases: ['DHL Express', 'DHL', 'DHL Worldwide Express', 'DHL International'],
    trackingUrl: 'https://www.dhl.com/global-en/home/tracking/tracking-express.html?submit=1&tracking-id={number}',
    markets: [],
    formats: [
      {
        name: 'DHL Express waybill of 10 digits',
        pattern: /^\d{10}$/,
        distinctness: 'typical',
        requires: dhlExpressModulo7,
      },
      { name: 'DHL Express piece (JD…)', pattern: /^JD\d{18}$/, distinctness: 'exclusive' },
      { name: 'DHL Express piece (JJD00…, JJD01…)', pattern: /^JJD0[01]\d{7,22}$/, distinctness: 'typical' },
      { name: 'DHL piece (JVGL…)', pattern: /^JVGL\d{8,20}$/, distinctness: 'shared' },
    ],
  },
  depost: {
    name: carrierNames.depost,
    aliases: ['Deutsche Post', 'Deutsche Post AG', 'Deutsche Post Brief', 'Warenpost', 'DP AG', 'Deutsche Post DHL'],
    trackingUrl: 'https://www.deutschepost.de/de/s/sendungsverfolgung.html?piececode={number}',
    markets: ['DE'],
    formats: [
      postalItem('DE', '[LRUV]'),
      postalItem('DE', '(?![LRUV])[A-Z]', 'shared'),
      {
        name: 'registered letter of DE with its product code',
        pattern: /^R[A-Z]\d{9}DE\d{3}$/,
        distinctness: 'exclusive',
        requires: upuS10,
      },
      {
        name: 'Deutsche Post franking ID of 20 hexadecimal digits',
        pattern: /^(?=\d*[A-F])[A-F\d]{20}$/,
        distinctness: 'typical',
      },
    ],
  },
  amz: {
    name: carrierNames.amz,
    aliases: ['Amazon', 'Amazon Logistics', 'Amazon Shipping', 'AMZL', 'Swiship'],
    trackingUrl: 'https://track.amazon.com/tracking/{number}',
    markets: [],
    formats: [
      { name: 'Amazon parcel (TBA…, TBC…, TBM…)', pattern: /^TB[ACM]\d{12}$/, distinctness: 'exclusive' },
      { name: 'Amazon parcel in Europe', pattern: /^(?:DE|FR|IT|ES|UK|Q[AB])\d{10}$/, distinctness: 'typical' },
    ],
  },
  postat: {
    name: carrierNames.postat,
    aliases: ['Österreichische Post', 'Oesterreichische Post', 'Austrian Post', 'Post AT', 'Post.at'],
    trackingUrl: 'https://www.post.at/s/sendungsdetails?snr={number}',
    markets: ['AT'],
    formats: [
      postalItem('AT'),
      { name: 'Austrian parcel of 22 digits', pattern: /^1\d{21}$/, distinctness: 'typical', indicatedBy: gs1 },
      { name: 'Austrian parcel of 16 digits', pattern: /^\d{16}$/, distinctness: 'shared', requires: gs1 },
    ],
  },
  swisspost: {
    name: carrierNames.swisspost,
    aliases: ['Swiss Post', 'Schweizerische Post', 'Die Schweizerische Post', 'La Poste Suisse', 'Post CH'],
    trackingUrl: 'https://service.post.ch/ekp-web/ui/entry/search/{number}',
    markets: ['CH', 'LI'],
    formats: [
      postalItem('CH'),
      { name: 'Swiss shipment (97…, 98…, 99…)', pattern: /^9[789]\d{16}$/, distinctness: 'exclusive' },
    ],
  },
  royalmail: {
    name: carrierNames.royalmail,
    aliases: ['Royal Mail', 'Royal Mail Group'],
    trackingUrl: 'https://www.royalmail.com/track-your-item#/tracking-results/{number}',
    markets: ['GB'],
    formats: [postalItem('GB')],
  },
  dpduk: {
    name: carrierNames.dpduk,
    aliases: ['DPD UK', 'DPD', 'DPD Local', 'DPD Great Britain', 'DPDGROUP UK'],
    trackingUrl: 'https://track.dpd.co.uk/parcels/{number}',
    markets: ['GB'],
    formats: [
      { name: 'DPD UK parcel (155…)', pattern: /^155\d{11}$/, distinctness: 'typical' },
      { name: 'DPD parcel of 14 digits', pattern: /^\d{14}$/, distinctness: 'shared', onlyIn: ['GB'] },
      { name: 'DPD UK consignment of 10 digits', pattern: /^\d{10}$/, distinctness: 'shared', onlyIn: ['GB'] },
    ],
  },
  gls_es: {
    name: carrierNames.gls_es,
    aliases: ['GLS Spain', 'GLS ES', 'GLS España', 'GLS', 'ASM'],
    trackingUrl: 'https://www.gls-spain.es/es/ayuda/seguimiento-envio/?match={number}',
    markets: ['ES'],
    formats: [
      { name: 'GLS Spain shipment of 14 digits', pattern: /^\d{14}$/, distinctness: 'shared', onlyIn: ['ES'] },
      { name: 'GLS parcel of 11 digits', pattern: /^\d{11}$/, distinctness: 'typical', onlyIn: ['ES'] },
    ],
  },
  brt: {
    name: carrierNames.brt,
    aliases: ['BRT', 'Bartolini', 'BRT Bartolini', 'BRT Corriere Espresso', 'Corriere Bartolini'],
    trackingUrl: 'https://vas.brt.it/vas/sped_det_show.hsm?Nspediz={number}',
    markets: ['IT'],
    formats: [
      { name: 'BRT shipment of 12 digits', pattern: /^\d{12}$/, distinctness: 'shared', onlyIn: ['IT'] },
      { name: 'BRT parcel of 15 or 19 digits', pattern: /^(?:\d{15}|\d{19})$/, distinctness: 'shared', onlyIn: ['IT'] },
    ],
  },
  postnl_inter: {
    name: carrierNames.postnl_inter,
    aliases: ['PostNL', 'PostNL International', 'Post NL'],
    trackingUrl: 'https://postnl.post/track?barcodes={number}',
    markets: ['NL'],
    formats: [
      postalItem('NL'),
      { name: 'Dutch parcel (3S…)', pattern: /^3S[A-Z]{4}\d{6,12}$/, distinctness: 'typical' },
    ],
  },
  bpost: {
    name: carrierNames.bpost,
    aliases: ['bpost', 'Belgian Post', 'bpost International', 'bpack'],
    trackingUrl: 'https://track.bpost.cloud/btr/web/#/search?itemCode={number}',
    markets: ['BE'],
    formats: [postalItem('BE'), { name: 'bpost parcel (3232…)', pattern: /^3232\d{20}$/, distinctness: 'exclusive' }],
  },
  postnord: {
    name: carrierNames.postnord,
    aliases: ['PostNord', 'Posten Sweden', 'Post Danmark', 'PostNord Sverige', 'PostNord Danmark', 'PostNord Sweden'],
    trackingUrl: 'https://tracking.postnord.com/en/tracking?id={number}',
    markets: ['SE', 'DK', 'NO', 'FI'],
    formats: [
      postalItem('SE'),
      postalItem('DK'),
      {
        name: 'Swedish or Danish shipping unit (373…, 357…)',
        pattern: /^(?:00)?3(?:57|73)\d{15}$/,
        distinctness: 'typical',
        requires: gs1,
      },
      { name: 'Norwegian shipping unit (370…)', pattern: /^(?:00)?370\d{15}$/, distinctness: 'shared', requires: gs1 },
    ],
  },
  bring: {
    name: carrierNames.bring,
    aliases: ['Bring', 'Posten', 'Posten Norge', 'Posten Bring', 'Norway Post', 'Bring Parcels'],
    trackingUrl: 'https://tracking.bring.com/tracking/{number}',
    markets: ['NO', 'SE', 'DK'],
    formats: [
      postalItem('NO'),
      { name: 'Norwegian shipping unit (370…)', pattern: /^(?:00)?370\d{15}$/, distinctness: 'typical', requires: gs1 },
      { name: 'Bring consignment (70…)', pattern: /^70\d{15}$/, distinctness: 'typical' },
    ],
  },
  posti: {
    name: carrierNames.posti,
    aliases: ['Posti', 'Posti Finland', 'Itella', 'Finland Post', 'Posti Group'],
    trackingUrl: 'https://www.posti.fi/fi/seuranta#/lahetys/{number}',
    markets: ['FI'],
    formats: [
      postalItem('FI'),
      { name: 'Posti parcel (JJFI…)', pattern: /^JJFI\d{16,18}$/, distinctness: 'exclusive' },
    ],
  },
  dao: {
    name: carrierNames.dao,
    aliases: ['dao', 'dao365', 'Dansk Avis Omdeling', 'DAO Denmark'],
    trackingUrl: 'https://www.dao.as/privat/find-din-pakke?stregkode={number}',
    markets: ['DK'],
    formats: [
      { name: 'dao parcel (00057151271…)', pattern: /^00057151271\d{9}$/, distinctness: 'exclusive', requires: gs1 },
    ],
  },
  anpost: {
    name: carrierNames.anpost,
    aliases: ['An Post', 'Irish Post', 'Anpost Ireland'],
    trackingUrl: 'https://www.anpost.com/Post-Parcels/Track/History?item={number}',
    markets: ['IE'],
    formats: [postalItem('IE')],
  },
  usps: {
    name: carrierNames.usps,
    aliases: ['USPS', 'US Postal Service', 'United States Postal Service', 'US Post'],
    trackingUrl: 'https://tools.usps.com/go/TrackConfirmAction?tLabels={number}',
    markets: ['US'],
    formats: [
      postalItem('US'),
      {
        name: 'USPS parcel (91… to 95…)',
        pattern: /^(?:(?:420\d{5}(?:\d{4})?)?9[1-5]\d{20}|9[2-5]\d{24})$/,
        distinctness: 'exclusive',
        requires: uspsImpb,
      },
      {
        name: 'USPS label of 20 digits',
        pattern: /^(?:0[1-9]|23|7[01])\d{18}$/,
        distinctness: 'typical',
        indicatedBy: gs1,
      },
    ],
  },
  fedex: {
    name: carrierNames.fedex,
    aliases: ['FedEx', 'Federal Express', 'FedEx Express', 'FedEx Ground'],
    trackingUrl: 'https://www.fedex.com/fedextrack/?trknbr={number}',
    markets: ['US', 'CA'],
    formats: [
      { name: 'FedEx Ground label (96…)', pattern: /^96\d{20}$/, distinctness: 'exclusive', requires: fedexGround96 },
      {
        name: 'FedEx Express shipment of 12 digits',
        pattern: /^\d{12}$/,
        distinctness: 'shared',
        requires: fedexExpress,
      },
      { name: 'FedEx Ground shipment of 15 digits', pattern: /^\d{15}$/, distinctness: 'shared', requires: gs1 },
      { name: 'FedEx parcel (61…)', pattern: /^61\d{18}$/, distinctness: 'typical' },
    ],
  },
  dachser: {
    name: carrierNames.dachser,
    aliases: ['Dachser', 'Dachser SE', 'Dachser Intelligent Logistics', 'Dachser European Logistics'],
    trackingUrl: 'https://elogistics.dachser.com/shp2s/?search={number}',
    markets: ['DE'],
    formats: [{ name: 'shipping unit (SSCC)', pattern: /^00\d{18}$/, distinctness: 'shared', requires: gs1 }],
  },
  goexp: {
    name: carrierNames.goexp,
    aliases: ['GO!', 'GO! Express', 'GO Express & Logistics', 'General Overnight'],
    trackingUrl: null,
    markets: ['DE'],
    formats: [],
  },
  parcelone: {
    name: carrierNames.parcelone,
    aliases: ['Parcel.One', 'Parcel One'],
    trackingUrl: 'https://tracking.parcel.one/?trackingNumber={number}',
    markets: [],
    formats: [],
  },
  asendia_de: {
    name: carrierNames.asendia_de,
    aliases: ['Asendia', 'Asendia Germany', 'Asendia Deutschland', 'Asendia DE'],
    trackingUrl: 'https://tracking.asendia.com/tracking/{number}',
    markets: [],
    formats: [],
  },
} as const satisfies Record<CarrierReference, Carrier>;

export type CarrierReference = keyof typeof carrierNames;

export const catalogue: Readonly<Record<CarrierReference, Carrier>> = carriers;

export const carrierReferences = Object.keys(carriers) as readonly CarrierReference[];

export const isCarrierReference = (text: unknown): text is CarrierReference =>
  typeof text === 'string' && Object.hasOwn(carriers, text);
