/** The names of the one table: its attributes, its index and the prefixes that its partition keys begin with. */

export const attributes = {
  partition: 'pk',
  sort: 'sk',
  /** Unix seconds; DynamoDB deletes the item some time after. */
  expiry: 'expires_at',
} as const;

/** Sparse: only items that carry both attributes stand in it. */
export const lists = {
  name: 'lists',
  partition: 'list_pk',
  sort: 'list_sk',
} as const;

/**
 * Every partition key begins with one of these. A function is granted the prefixes it needs and no others, so a new
 * kind of item gets a prefix of its own.
 */
export const partitions = {
  /** A shop and what belongs to it as a whole: settings, integration keys. */
  shop: 'SHOP#',
  /** The API keys of one username. */
  keys: 'KEYS#',
} as const;

/** Partition keys of the index `lists`. */
export const listPartitions = {
  shops: 'SHOPS',
  superAdmins: 'SUPERADMINS',
} as const;

export type PartitionName = keyof typeof partitions;
export type ListName = keyof typeof listPartitions;
