import { DatabaseSync } from 'node:sqlite';
import type { QueueAttributes, QueuedMessage } from './message.ts';

/** Stores queues between two runs. Each call is atomic, even if the process is killed. */
export interface QueueJournal {
  load(): { name: string; attributes: QueueAttributes; messages: QueuedMessage[] }[];
  saveQueue(name: string, attributes: QueueAttributes): void;
  removeQueue(name: string): void;
  insert(queue: string, messages: readonly QueuedMessage[]): void;
  /** Updates the fields that a receive or a change of visibility changes. */
  update(messages: readonly QueuedMessage[]): void;
  move(messages: readonly QueuedMessage[], toQueue: string): void;
  remove(messages: readonly QueuedMessage[]): void;
  close(): void;
}

const doNothing = (): void => {};

/** For queues that are only in memory. */
export const noJournal: QueueJournal = {
  load: () => [],
  saveQueue: doNothing,
  removeQueue: doNothing,
  insert: doNothing,
  update: doNothing,
  move: doNothing,
  remove: doNothing,
  close: doNothing,
};

const schema = `
CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY, attributes TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS messages (
  position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, queue TEXT NOT NULL, content TEXT NOT NULL, state TEXT NOT NULL);
`;

export function openQueueJournal(file: string): QueueJournal {
  const database = new DatabaseSync(file);
  // With WAL an acknowledged write survives when the process is killed.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.exec(schema);
  const statements = {
    saveQueue: database.prepare('INSERT OR REPLACE INTO queues (name, attributes) VALUES (?, ?)'),
    removeQueue: database.prepare('DELETE FROM queues WHERE name = ?'),
    removeMessages: database.prepare('DELETE FROM messages WHERE queue = ?'),
    insert: database.prepare('INSERT INTO messages (id, queue, content, state) VALUES (?, ?, ?, ?)'),
    update: database.prepare('UPDATE messages SET state = ? WHERE id = ?'),
    move: database.prepare('UPDATE messages SET queue = ?, state = ? WHERE id = ?'),
    remove: database.prepare('DELETE FROM messages WHERE id = ?'),
  };

  const inTransaction = <T>(items: readonly T[], run: (item: T) => unknown): void => {
    if (items.length < 2) {
      items.forEach(run);
      return;
    }
    database.exec('BEGIN IMMEDIATE');
    try {
      items.forEach(run);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK'); // a full disk has ended it already
      throw error;
    }
  };

  return {
    load: () => {
      const queues = database.prepare('SELECT name, attributes FROM queues').all();
      const messages = database.prepare('SELECT id, content, state FROM messages WHERE queue = ? ORDER BY position');
      return queues.map(({ name, attributes }) => ({
        name: String(name),
        attributes: JSON.parse(String(attributes)) as QueueAttributes,
        messages: messages.all(String(name)).map(toMessage),
      }));
    },
    saveQueue: (name, attributes) => {
      statements.saveQueue.run(name, JSON.stringify(attributes));
    },
    removeQueue: (name) => {
      statements.removeMessages.run(name);
      statements.removeQueue.run(name);
    },
    insert: (queue, messages) =>
      inTransaction(messages, (message) =>
        statements.insert.run(message.id, queue, JSON.stringify(contentOf(message)), stateOf(message)),
      ),
    update: (messages) => inTransaction(messages, (message) => statements.update.run(stateOf(message), message.id)),
    move: (messages, toQueue) =>
      inTransaction(messages, (message) => statements.move.run(toQueue, stateOf(message), message.id)),
    remove: (messages) => inTransaction(messages, ({ id }) => statements.remove.run(id)),
    close: () => database.close(),
  };
}

const contentOf = ({ body, attributes, group, sentAt }: QueuedMessage) => ({ body, attributes, group, sentAt });

const stateOf = ({ visibleAt, receives, firstReceivedAt, receivedAt, receipt }: QueuedMessage): string =>
  JSON.stringify({ visibleAt, receives, firstReceivedAt, receivedAt, receipt });

const toMessage = ({ id, content, state }: Record<string, unknown>): QueuedMessage => ({
  id: String(id),
  ...JSON.parse(String(content)),
  ...JSON.parse(String(state)),
});
