import type { IncomingMessage } from 'node:http';
import { findPackageJSON } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import type { Answer } from './forward.ts';
import { region } from './physical-names.ts';

type Stores = NonNullable<BuildAppOptions['stores']>;
export type QueueStore = Stores['sqsStore'];

export interface Fauxqs {
  url: string;
  queues: QueueStore;
  /** Answers a request without a connection. */
  answer(request: IncomingMessage, body: Buffer): Promise<Answer>;
  stop(): Promise<void>;
}

interface Persistence {
  load(sqs: QueueStore, sns: Stores['snsStore'], s3: Stores['s3Store']): void;
  close(): void;
  db: DatabaseSync;
  updateMessageReady(messageId: string): void;
}

/**
 * SQS and S3, composed of fauxqs's parts as its own start does. That one listens on every interface, and keeps its queues
 * to itself: a mapping that reads them in this process needs no requests, and can be fair.
 */
export async function startFauxqs(folder: string | undefined): Promise<Fauxqs> {
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }] = await Promise.all([
    part<{ SqsStore: new () => QueueStore }>('sqs/sqsStore.js'),
    part<{ SnsStore: new () => Stores['snsStore'] }>('sns/snsStore.js'),
    part<{ S3Store: new () => Stores['s3Store'] }>('s3/s3Store.js'),
    part<{ PersistenceManager: new (folder: string) => Persistence }>('persistence.js'),
  ]);
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  if (folder !== undefined) {
    const persistence = new PersistenceManager(folder);
    makeReadyWithItsCount(persistence);
    keep(stores, persistence);
    app.addHook('preClose', async () => persistence.close());
  }
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const answer: Fauxqs['answer'] = async ({ method, url: path, headers }, payload) => {
    const { 'content-length': _, 'transfer-encoding': _encoding, ...rest } = headers;
    const request = { method: method as 'POST', url: path ?? '/', headers: rest, payload };
    const { statusCode: status, headers: answered, rawPayload } = await app.inject(request);
    return { status, headers: answered, body: rawPayload };
  };
  return { url, queues: stores.sqsStore, answer, stop: () => app.close() };
}

/** What is loaded must not be stored again, so the stores learn of the folder afterwards. */
function keep({ sqsStore, snsStore, s3Store }: Stores, persistence: Persistence): void {
  persistence.load(sqsStore, snsStore, s3Store);
  for (const holder of [sqsStore, snsStore, s3Store, ...sqsStore.allQueues()]) Object.assign(holder, { persistence });
}

/**
 * fauxqs clears the count of receives too, which its own table refuses. It throws after it has taken the message out of
 * those in flight: one that is handed back at once would be gone until the next start.
 */
function makeReadyWithItsCount(persistence: Persistence): void {
  const ready = persistence.db.prepare(
    'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?',
  );
  persistence.updateMessageReady = (messageId) => {
    ready.run(messageId);
  };
}

/** Its package names none of them for others to import. */
function part<T>(file: string): Promise<T> {
  const manifest = findPackageJSON('fauxqs', import.meta.url);
  if (!manifest) throw new Error('The package fauxqs is not installed.');
  return import(new URL(`dist/${file}`, pathToFileURL(manifest)).href) as Promise<T>;
}
