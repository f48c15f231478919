import type { Chance } from './chance.ts';

/** Invented customers and what they buy. */

const firstNames = [
  'Ada',
  'Ben',
  'Clara',
  'Daan',
  'Elif',
  'Finn',
  'Greta',
  'Henrik',
  'Ines',
  'Jonas',
  'Kamila',
  'Léa',
  'Matteo',
  'Nina',
  'Oskar',
  'Paula',
  'Quentin',
  'Rosa',
  'Søren',
  'Tomasz',
  'Ulla',
  'Vera',
  'Willem',
  'Yara',
  'Zoë',
];
const lastNames = [
  'Albrecht',
  'Bakker',
  'Conti',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Hoffmann',
  'Ivanov',
  'Jansen',
  'Kowalska',
  'Lindqvist',
  'Moreau',
  'Novák',
  'Østergaard',
  'Peeters',
  'Rossi',
  'Schäfer',
  'Teixeira',
  'Vogel',
  'Weber',
  'Yılmaz',
];
const cities = [
  { city: 'Hamburg', zip_code: '20095', country_code: 'DE' },
  { city: 'Köln', zip_code: '50667', country_code: 'DE' },
  { city: 'München', zip_code: '80331', country_code: 'DE' },
  { city: 'Bremen', zip_code: '28195', country_code: 'DE' },
  { city: 'Wien', zip_code: '1010', country_code: 'AT' },
  { city: 'Zürich', zip_code: '8001', country_code: 'CH' },
  { city: 'Amsterdam', zip_code: '1012', country_code: 'NL' },
  { city: 'Lyon', zip_code: '69001', country_code: 'FR' },
  { city: 'København', zip_code: '1050', country_code: 'DK' },
  { city: 'Milano', zip_code: '20121', country_code: 'IT' },
];

/** Where a customer lives, as it stands in an address. */
export type Home = (typeof cities)[number];
const streets = ['Bergweg', 'Gartenstraße', 'Am Hafen', 'Rosenallee', 'Mühlengasse', 'Parkring', 'Seestraße'];
const products = [
  { title: 'Rain jacket Fjord', variant_title: 'Blue, M', sku: 'FJORD-JK', price: 149.9, weight: 620 },
  { title: 'Hiking boots Granit', variant_title: 'Rust, 42', sku: 'GRANIT-BT', price: 179, weight: 1480 },
  { title: 'Down vest Polar', variant_title: 'Moss, L', sku: 'POLAR-VS', price: 119.5, weight: 340 },
  { title: 'Backpack Kaia', variant_title: '28 l', sku: 'KAIA-28', price: 99, weight: 890 },
  { title: 'Merino shirt Lofoten', variant_title: 'Black, M', sku: 'LOFOTEN-SH', price: 69.9, weight: 180 },
  { title: 'Tent Nordkap', variant_title: 'For two', sku: 'NORDKAP-2', price: 349, weight: 2100 },
  { title: 'Camping cooker Ember', sku: 'EMBER-CK', price: 59, weight: 410 },
  { title: 'Wool socks, three pairs', variant_title: '39–42', sku: 'SOCKS-3', price: 24.9, weight: 150 },
];

export function newCustomer(chance: Chance) {
  const [first, last] = [chance.of(firstNames), chance.of(lastNames)];
  const plain = `${first}.${last}`.normalize('NFKD').replaceAll(/[^\w.]/g, '');
  const place = chance.of(cities);
  const street = chance.of(streets);
  return {
    email_id: `${plain.toLowerCase()}@example.com`,
    address: { name: `${first} ${last}`, address_line_1: `${street} ${chance.between(1, 120)}`, ...place },
    external_customer_id: `customer-${plain.toLowerCase()}`,
    segments: chance.next() < 0.4 ? ['vip'] : chance.next() < 0.5 ? ['newsletter'] : [],
  };
}

/** @param pictures by sku */
export function newBasket(chance: Chance, pictures: Record<string, string>) {
  const chosen = new Set(Array.from({ length: chance.between(1, 3) }, () => chance.of(products)));
  return [...chosen].map((product) => ({
    ...product,
    images: [{ src: pictures[product.sku], alt: product.title }],
    quantity: chance.between(1, 2),
    requires_shipping: true,
  }));
}
