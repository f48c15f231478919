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
  segment: ['segments'],
};

/** A field of an answer whose elements belong to a collection of another name. */
const collections: Record<string, string> = { trackings: 'shipments', tokens: 'api-keys' };

/**
 * The values that answers and accepted requests contained, by field name, and the ids of things by their collection: the
 * part of the path before the id. Later requests use them, so they find what earlier ones made.
 */
export class SeenValues {
  readonly #values = new Map<string, string[]>();
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

  learn(value: unknown, collection: string): void {
    if (Array.isArray(value)) {
      for (const element of value.slice(0, 20)) this.learn(element, collection);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value).slice(0, 100)) this.#learnField(name, inner, collection);
    } else if (typeof value === 'string') this.#add(collection, value);
  }

  #learnField(name: string, value: unknown, collection: string): void {
    if (typeof value === 'string') {
      this.#add(name, value);
      if (name === 'uuid' || name === 'id' || name === 'token_id') this.#add(collection, value);
    } else this.learn(value, collections[name] ?? name);
  }

  #add(name: string, value: string): void {
    if (value === '' || value.length > 255 || this.#hidden.has(value)) return;
    const values = this.#values.get(name) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > maxPerName) values.shift();
    this.#values.set(name, values);
  }
}
