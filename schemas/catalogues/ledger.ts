/** What the names of the objects in the bucket of the ledger begin with. */
export const ledgerPrefix = 'erasures/';
