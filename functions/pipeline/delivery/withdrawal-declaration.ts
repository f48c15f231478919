import type { DeclaredWithdrawal } from '#domain/emails/mail.ts';
import { readWithdrawal } from '#domain/withdrawals/withdrawal-store.ts';

/** What is acknowledged, and to whom: the customer names an address for it. */
export interface Declaration {
  withdrawal: DeclaredWithdrawal;
  address: string;
}

/** Undefined if the withdrawal is gone or erased. */
export async function readDeclaration(slug: string, uuid: string): Promise<Declaration | undefined> {
  const found = await readWithdrawal(slug, uuid);
  if (!found || found.name === null || found.email_id === null) return undefined;
  const { name, email_id: address, declared_at, deadline, based_on } = found;
  const items = found.items.map(({ title, sku, quantity }) => ({ title: title ?? sku ?? '', quantity }));
  return { withdrawal: { name, items, declared_at, deadline, zone: based_on.time_zone }, address };
}
