import { createHmac } from 'node:crypto';
import { required } from '#platform/environment.ts';
import { ledgerPrefix } from '#schemas/catalogues/ledger.ts';
import { identifiersOf, type PrivacyRequest } from './request.ts';

/**
 * The ledger says what was erased, and lies outside the table: it is what remains when the table is restored from a backup.
 * It holds no personal data. Whoever has an identifier and the key can tell whether it was erased, and nobody else.
 */
export interface LedgerEntry {
  shop_slug: string;
  /** The uuid of the request. */
  request: string;
  at: string;
  by: string;
  /** Keyed hashes of what named the person. Empty if nobody was named, as by retention. */
  person: readonly string[];
  /** Their uuids. */
  orders: readonly string[];
}

const keyName = `${ledgerPrefix}key`;
const context = { ledger: 'erasures' };

/** One object for each request. A repeated step writes the same object again. */
export const entryName = ({ shop_slug, uuid, created_at }: PrivacyRequest): string =>
  `${ledgerPrefix}${shop_slug}/${created_at}-${uuid}.json`;

export async function writeEntry(name: string, entry: LedgerEntry): Promise<void> {
  const { putObject } = await loadS3();
  await putObject({ Bucket: bucket(), Key: name, Body: JSON.stringify(entry), ContentType: 'application/json' });
}

/** The same identifier always has the same hash. */
export async function hashesOf({ person = {} }: PrivacyRequest): Promise<string[]> {
  const identifiers = identifiersOf(person);
  if (identifiers.length === 0) return [];
  const key = await hashKey();
  return identifiers.map((text) => createHmac('sha256', key).update(text).digest('hex'));
}

let known: Promise<Uint8Array> | undefined;

/** The key is a data key that only our own key of KMS opens, and lies beside the entries: it is as old as the first of them. */
function hashKey(): Promise<Uint8Array> {
  known ??= readOrCreateKey();
  known.catch(() => {
    known = undefined;
  });
  return known;
}

async function readOrCreateKey(): Promise<Uint8Array> {
  const { decryptByKms, newWrappedKey } = await import('#platform/lazy/kms.ts');
  const stored = await readObject(keyName);
  if (stored) return decryptByKms(stored, context);
  const { putObject } = await loadS3();
  try {
    await putObject({ Bucket: bucket(), Key: keyName, Body: await newWrappedKey(context), IfNoneMatch: '*' });
  } catch (error) {
    // Another one was first, and its key counts.
    if ((error as Error).name !== 'PreconditionFailed') throw error;
  }
  return decryptByKms((await readObject(keyName))!, context);
}

async function readObject(Key: string): Promise<Uint8Array | undefined> {
  const { getObject } = await loadS3();
  try {
    return await getObject({ Bucket: bucket(), Key });
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return undefined;
    throw error;
  }
}

const loadS3 = () => import('#platform/lazy/s3.ts');
const bucket = () => required('LEDGER_BUCKET');
