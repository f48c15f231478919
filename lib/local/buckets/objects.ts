import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

type Headers = Record<string, unknown>;

export interface ObjectVersion {
  key: string;
  /** Undefined if the bucket kept no versions when it was stored. */
  version: string | undefined;
  isLatest: boolean;
  /** Says that the object was deleted then. */
  isMarker: boolean;
}

interface FoundObject {
  /** Undefined if the object was deleted then. */
  body: Buffer | undefined;
  headers: Headers;
  version: string | undefined;
}

// An object of a bucket that keeps versions is the last of them, or, without any, what was stored before the bucket did.
const schema = `
CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS versioned_buckets (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS objects (
  bucket TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, headers TEXT NOT NULL, PRIMARY KEY (bucket, key));
CREATE TABLE IF NOT EXISTS versions (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  bucket TEXT NOT NULL, key TEXT NOT NULL, version TEXT NOT NULL, body BLOB, headers TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS versions_of_object ON versions (bucket, key, place);
CREATE TABLE IF NOT EXISTS uploads (id TEXT PRIMARY KEY, bucket TEXT, key TEXT, headers TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (
  upload TEXT NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (upload, number));
`;

/** What the buckets hold. @param file undefined to keep it in memory */
export function openObjects(file: string | undefined) {
  const database = new DatabaseSync(file ?? ':memory:');
  // What is deleted is overwritten: an erased image is gone from the file too.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;');
  database.exec(schema);
  const sql = (text: string) => database.prepare(text);
  const findBucket = sql('SELECT name FROM buckets WHERE name = ?');
  const addBucket = sql('INSERT INTO buckets (name) VALUES (?)');
  const findVersioned = sql('SELECT name FROM versioned_buckets WHERE name = ?');
  const addVersioned = sql('INSERT OR IGNORE INTO versioned_buckets (name) VALUES (?)');
  const findObject = sql('SELECT body, headers FROM objects WHERE bucket = ? AND key = ?');
  const putObject = sql('INSERT OR REPLACE INTO objects (bucket, key, body, headers) VALUES (?, ?, ?, ?)');
  const removeObject = sql('DELETE FROM objects WHERE bucket = ? AND key = ?');
  const listObjects = sql('SELECT key FROM objects WHERE bucket = ? AND substr(key, 1, ?) = ? ORDER BY key');
  const lastVersion = sql(
    'SELECT version, body, headers FROM versions WHERE bucket = ? AND key = ? ORDER BY place DESC LIMIT 1',
  );
  const findVersion = sql('SELECT version, body, headers FROM versions WHERE bucket = ? AND key = ? AND version = ?');
  const addVersion = sql('INSERT INTO versions (bucket, key, version, body, headers) VALUES (?, ?, ?, ?, ?)');
  const removeVersion = sql('DELETE FROM versions WHERE bucket = ? AND key = ? AND version = ?');
  const listVersions = sql(
    'SELECT key, version, body IS NULL AS marker FROM versions WHERE bucket = ? AND substr(key, 1, ?) = ? ORDER BY key, place DESC',
  );
  const findUpload = sql('SELECT headers FROM uploads WHERE id = ?');
  const addUpload = sql('INSERT INTO uploads (id, bucket, key, headers) VALUES (?, ?, ?, ?)');
  const removeUpload = sql('DELETE FROM uploads WHERE id = ?');
  const putPart = sql('INSERT OR REPLACE INTO parts (upload, number, body) VALUES (?, ?, ?)');
  const findPart = sql('SELECT body FROM parts WHERE upload = ? AND number = ?');
  const removeParts = sql('DELETE FROM parts WHERE upload = ?');

  const isVersioned = (bucket: string): boolean => findVersioned.get(bucket) !== undefined;

  const found = (row: Record<string, unknown> | undefined): FoundObject | undefined =>
    row && {
      body: row.body === null ? undefined : Buffer.from(row.body as Uint8Array),
      headers: JSON.parse(String(row.headers)) as Headers,
      version: row.version as string | undefined,
    };

  const find = (bucket: string, key: string, version?: string): FoundObject | undefined => {
    if (version === 'null') return found(findObject.get(bucket, key));
    if (version !== undefined) return found(findVersion.get(bucket, key, version));
    return found(lastVersion.get(bucket, key)) ?? found(findObject.get(bucket, key));
  };

  const add = (bucket: string, key: string, body: Buffer | null, headers: Headers): string => {
    const version = randomUUID().replaceAll('-', '');
    addVersion.run(bucket, key, version, body, JSON.stringify(headers));
    return version;
  };

  return {
    hasBucket: (name: string): boolean => findBucket.get(name) !== undefined,
    /** False if there is one. */
    addBucket: (name: string): boolean => {
      if (findBucket.get(name)) return false;
      addBucket.run(name);
      return true;
    },
    keepVersions: (bucket: string): void => void addVersioned.run(bucket),
    /** The last version, or the one with this id. */
    find,
    /** Returns the id of the version, if the bucket keeps versions. */
    put: (bucket: string, key: string, body: Buffer, headers: Headers): string | undefined => {
      if (isVersioned(bucket)) return add(bucket, key, body, headers);
      putObject.run(bucket, key, body, JSON.stringify(headers));
      return undefined;
    },
    remove: (bucket: string, key: string): void => {
      if (isVersioned(bucket)) add(bucket, key, null, {});
      else removeObject.run(bucket, key);
    },
    removeVersion: (bucket: string, key: string, version: string): void => {
      if (version === 'null') removeObject.run(bucket, key);
      else removeVersion.run(bucket, key, version);
    },
    /** Of the objects that are not deleted. */
    keys: (bucket: string, prefix: string): string[] => {
      const unversioned = listObjects.all(bucket, prefix.length, prefix).map(({ key }) => String(key));
      const versioned = listVersions.all(bucket, prefix.length, prefix).map(({ key }) => String(key));
      const keys = [...new Set([...unversioned, ...versioned])].sort();
      return versioned.length === 0 ? keys : keys.filter((key) => find(bucket, key)?.body !== undefined);
    },
    versions: (bucket: string, prefix: string): ObjectVersion[] => {
      const seen = new Set<string>();
      const isFirst = (key: string) => !seen.has(key) && seen.add(key) !== undefined;
      const versions = listVersions.all(bucket, prefix.length, prefix).map(({ key, version, marker }) => ({
        key: String(key),
        version: String(version),
        isLatest: isFirst(String(key)),
        isMarker: marker === 1,
      }));
      const before = listObjects.all(bucket, prefix.length, prefix).map(({ key }) => ({
        key: String(key),
        version: undefined,
        isLatest: isFirst(String(key)),
        isMarker: false,
      }));
      return [...versions, ...before];
    },
    hasUpload: (id: string): boolean => findUpload.get(id) !== undefined,
    startUpload: (id: string, bucket: string, key: string, headers: Headers): void =>
      void addUpload.run(id, bucket, key, JSON.stringify(headers)),
    uploadHeaders: (id: string): Headers => JSON.parse(String(findUpload.get(id)?.headers)) as Headers,
    putPart: (id: string, number: number, body: Buffer): void => void putPart.run(id, number, body),
    findPart: (id: string, number: number): Buffer | undefined => {
      const part = findPart.get(id, number);
      return part && Buffer.from(part.body as Uint8Array);
    },
    endUpload: (id: string): void => {
      removeUpload.run(id);
      removeParts.run(id);
    },
    close: (): void => database.close(),
  };
}
