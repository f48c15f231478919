import { DatabaseSync } from 'node:sqlite';
import type { QueueAttributes, QueuedMessage } from './message.ts';

/** Where queues are kept between two runs. A call is one step: after a kill it is there as a whole or not at all. */
export interface QueueJournal {
  load(): { name: string; attributes: QueueAttributes; messages: QueuedMessage[] }[];
  saveQueue(name: string, attributes: QueueAttributes): void;
  removeQueue(name: string): void;
  insert(queue: string, messages: readonly QueuedMessage[]): void;
  /** What a receive or a change of visibility changes. */
  update(messages: readonly QueuedMessage[]): void;
  move(messages: readonly QueuedMessage[], toQueue: string): void;
  remove(messages: readonly QueuedMessage[]): void;
  close(): void;
}

const nothing = (): void => {};

/** For queues that live as long as the process. */
export const noJournal: QueueJournal = {
  load: () => [],
  saveQueue: nothing,
  removeQueue: nothing,
  insert: nothing,
  update: nothing,
  move: nothing,
  remove: nothing,
  close: nothing,
};

const schema = `
CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY, attributes TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS messages (
  position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, queue TEXT NOT NULL, content TEXT NOT NULL, state TEXT NOT NULL);
`;

export function openQueueJournal(file: string): QueueJournal {
  const database = new DatabaseSync(file);
  // WAL keeps what was acknowledged when the process is killed.
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

  const together = <T>(items: readonly T[], run: (item: T) => unknown): void => {
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
      together(messages, (message) =>
        statements.insert.run(message.id, queue, JSON.stringify(contentOf(message)), stateOf(message)),
      ),
    update: (messages) => together(messages, (message) => statements.update.run(stateOf(message), message.id)),
    move: (messages, toQueue) =>
      together(messages, (message) => statements.move.run(toQueue, stateOf(message), message.id)),
    remove: (messages) => together(messages, ({ id }) => statements.remove.run(id)),
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
