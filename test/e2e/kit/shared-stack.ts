import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import type { ShopRole } from '#schemas/catalogues/enumerations.ts';
import { type Answer, clientOf } from './client.ts';

/** The one stack that all test files share. Every test makes shops of its own, so that they can run at once. */
export const { url, superAdmin, assembly, dataDir } = inject('localStack');

export const api = clientOf(url);

export const newSlug = (prefix = 'shop') => `${prefix}-${randomUUID()}`;

export async function newShop(fields: Record<string, unknown> = {}): Promise<string> {
  const slug = newSlug();
  const created = await api('POST', '/v1/shops', { key: superAdmin, body: { name: 'A shop', slug, ...fields } });
  expect(created).toMatchObject({ status: 200, body: null });
  return String(fields.slug ?? slug);
}

/** A new API key of a shop, as `username:secret`. */
export async function keyFor(slug: string, role: ShopRole = 'admin', expiration = 0): Promise<string> {
  const { body } = await createKey(slug, { role, expiration });
  return `${body.username}:${body.secret}`;
}

export async function createKey(slug: string, body: object = {}): Promise<Answer> {
  const created = await api('POST', `/v1/shops/${slug}/api-keys`, { key: superAdmin, body });
  expect(created.status).toBe(200);
  return created;
}

export async function shopOf(slug: string): Promise<Record<string, unknown>> {
  const { status, body } = await api('GET', `/v1/shops/${slug}`, { key: superAdmin });
  expect(status).toBe(200);
  return body;
}
