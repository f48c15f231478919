import { createHash } from 'node:crypto';
import type { Counted } from '#platform/personal-data.ts';
import { normalizeEmail } from '#platform/table/keys.ts';
import type { Work } from './work.ts';

export type RequestKind = 'disclosure' | 'erasure';
type RequestStatus = 'running' | 'done' | 'failed';

/** Who is meant. The orders of a person are those that any of these finds. */
export interface Person {
  email_id?: string;
  external_customer_id?: string;
  order_numbers?: readonly string[];
  /** Of orders, in the shop's own system. */
  external_ids?: readonly string[];
  /** All customers of the shop. */
  all_orders?: true;
}

/**
 * How far a request is. An erasure is written to the ledger before anything is erased, so that none is lost; a disclosure
 * is collected in parts of some orders each, which become one file at the end.
 */
export type RequestStep = 'find' | 'count' | 'ledger' | 'erase' | 'disclosures' | 'sweep' | 'collect' | 'zip';

export interface PrivacyRequest extends Work {
  work: 'request';
  uuid: string;
  kind: RequestKind;
  status: RequestStatus;
  dry_run: boolean;
  reference: string | null;
  requested_by: string;
  created_at: string;
  done_at: string | null;
  /** How many were found. */
  orders: number;
  counts: Counted;
  step: RequestStep;
  /** The last order, or what else the step has come to. Absent at its beginning. */
  position?: string;
  /** Only until the orders are found, and hashed for the ledger: afterwards nothing names the person. */
  person?: Person;
  /** The hash of what was asked. */
  question?: string;
  /** Retention asks: an order that it found is erased only if it is still too old then. */
  is_retention?: true;
  /** The ZIP of the disclosure went with an erasure of the person. */
  download_gone?: true;
  /** Keyed hashes of what named the person, as in the ledger. */
  person_hashes?: readonly string[];
}

/** Hashes the question, so that the same one is recognised while it is being answered. */
export function questionOf({ kind, dry_run, person }: Pick<PrivacyRequest, 'kind' | 'dry_run' | 'person'>): string {
  const identifiers = [...new Set(identifiersOf(person ?? {}))].sort();
  return createHash('sha256')
    .update(JSON.stringify([kind, dry_run, ...identifiers]))
    .digest('hex');
}

/** Each identifier with its kind, in the form in which it is compared: what the ledger hashes. */
export function identifiersOf({
  email_id,
  external_customer_id,
  order_numbers = [],
  external_ids = [],
  all_orders,
}: Person): string[] {
  return [
    ...(email_id === undefined ? [] : [`email:${normalizeEmail(email_id)}`]),
    ...(external_customer_id === undefined ? [] : [`customer:${external_customer_id}`]),
    ...order_numbers.map((number) => `order:${number}`),
    ...external_ids.map((id) => `external:${id}`),
    ...(all_orders ? ['all'] : []),
  ];
}
