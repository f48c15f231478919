import type { Random } from './random.ts';

/** Enough that an old thing is still found, and few enough that requests meet each other. */
const maxPerName = 30;

/** Names under which a value is also searched. */
const otherNames: Record<string, readonly string[]> = {
  id: ['order_number', 'external_id', 'order_name', 'tracking_number', 'orders', 'shipments', 'external_shipment_id'],
  order_id: ['orders', 'order_number', 'external_id'],
  shipment_id: ['shipments', 'tracking_number'],
  campaign_id: ['campaigns'],
  discount_id: ['discounts'],
  name: ['campaign_name'],
  email_or_postcode: ['email_id', 'zip_code'],
  segment: ['segments'],
  after: ['cursor', 'next'],
  endpoint: ['webhooks'],
};

/** A field of an answer whose elements belong to a collection of another name. */
const collections: Record<string, string> = { trackings: 'shipments', tokens: 'api-keys' };

/** Fields that name a thing. */
const idNames = new Set(['uuid', 'id', 'token_id', 'tracking_number']);

/**
 * The values that answers and accepted requests contained, by field name, and the ids of things by their collection: the
 * part of the path before the id. Later requests use them, so they find what earlier ones made.
 */
export class SeenValues {
  readonly #values = new Map<string, string[]>();
  readonly #surroundings = new Map<string, Record<string, string>>();
  readonly #hidden: ReadonlySet<string>;

  /** Hidden values are never used: a deletion of the caller's own key would end the run. */
  constructor(hidden: Iterable<string>) {
    this.#hidden = new Set(hidden);
  }

  pick(random: Random, ...names: string[]): string | undefined {
    const known = names.flatMap((name) => [name, ...(otherNames[name] ?? [])]);
    const found = known.filter((name) => this.#values.has(name));
    return found.length === 0 ? undefined : random.pick(this.#values.get(random.pick(found))!);
  }

  /** The path parameters and fields that stood beside an id, such as the order of a shipment. */
  besides(id: string): Record<string, string> {
    return this.#surroundings.get(id) ?? {};
  }

  /** Learns what a request or an answer contained. `params` are the path parameters of the request. */
  learn(value: unknown, collection: string, params: Record<string, string> = {}): void {
    if (Array.isArray(value)) {
      for (const element of value.slice(0, 20)) this.learn(element, collection, params);
    } else if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).slice(0, 100);
      const texts = Object.fromEntries(fields.filter(([, inner]) => typeof inner === 'string')) as typeof params;
      const beside = { ...params, ...texts };
      for (const [name, inner] of fields) this.#learnField(name, inner, collection, beside);
    } else if (typeof value === 'string') this.#add(collection, value);
  }

  /** Of a thing that is gone. */
  forget(id: string): void {
    for (const [name, values] of this.#values) {
      const others = values.filter((value) => value !== id);
      if (others.length > 0) this.#values.set(name, others);
      else this.#values.delete(name);
    }
  }

  #learnField(name: string, value: unknown, collection: string, beside: Record<string, string>): void {
    if (typeof value !== 'string') {
      this.learn(value, collections[name] ?? name, beside);
      return;
    }
    this.#add(name, value);
    if (name === 'tracking_page_url') this.#add('token', value.slice(value.lastIndexOf('/') + 1));
    if (!idNames.has(name)) return;
    if (name !== 'tracking_number') this.#add(collection, value);
    this.#surroundings.set(value, beside);
  }

  #add(name: string, value: string): void {
    if (value === '' || value.length > 255 || this.#hidden.has(value)) return;
    const values = this.#values.get(name) ?? [];
    if (values.includes(value)) return;
    this.#values.set(name, [...values, value].slice(-maxPerName));
  }
}
