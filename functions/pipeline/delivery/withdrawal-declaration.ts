import type { DeclaredWithdrawal } from '#domain/emails/mail.ts';

/** What is acknowledged, and to whom: the customer names an address for it. */
export interface Declaration {
  withdrawal: DeclaredWithdrawal;
  address: string;
}

/** Undefined if the withdrawal is gone or erased. */
export async function readDeclaration(_slug: string, _uuid: string): Promise<Declaration | undefined> {
  return undefined;
}
