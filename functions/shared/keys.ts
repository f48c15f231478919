import { listPartitions, partitions } from '#schemas/table.ts';

/** Every key of the table is built here and nowhere else. The attributes' names are those of schemas/table.ts. */

export const keyOf = {
  shop: (slug: string) => ({ pk: partitions.shop + slug, sk: 'SHOP' }),
  settings: (slug: string) => ({ pk: partitions.shop + slug, sk: 'SETTINGS' }),
  integrationKey: (slug: string, integration: string) => ({
    pk: partitions.shop + slug,
    sk: integrationKeyPrefix + integration,
  }),
  apiKey: (username: string, tokenId: string) => ({ pk: partitions.keys + username, sk: tokenId }),
};

/** Where an item stands in the index `lists`. */
export const placeIn = {
  /** UUIDv7 begins with its time: the order of the index is the order of creation. */
  shops: (uuid: string) => ({ list_pk: listPartitions.shops, list_sk: uuid }),
  superAdmins: (username: string, tokenId: string) => ({
    list_pk: listPartitions.superAdmins,
    list_sk: `${username}#${tokenId}`,
  }),
};

export const integrationKeyPrefix = 'INTEGRATION#';
export const apiKeysOf = (username: string) => partitions.keys + username;
export const shopPartition = (slug: string) => partitions.shop + slug;
