import { createHmac } from 'node:crypto';
import { normalizeEmail } from '#platform/table/keys.ts';
import { serviceKey } from './service-key.ts';

/** 128 bits suffice to tell addresses apart, and the links of mails stay short. */
const hashBytes = 16;

/**
 * Stands for an address where the address itself must not be stored. It differs from shop to shop, so that nobody can tell
 * that two shops have the same customer.
 */
export async function addressHash(slug: string, address: string): Promise<string> {
  const key = await serviceKey('addresses');
  const hash = createHmac('sha256', key)
    .update(`${slug}\n${normalizeEmail(address)}`)
    .digest();
  return hash.subarray(0, hashBytes).toString('base64url');
}

const syntax = /^[\w-]{22}$/;

/** Whether a text can be such a hash at all. What cannot is not looked up. */
export const isAddressHash = (text: string): boolean => syntax.test(text);
