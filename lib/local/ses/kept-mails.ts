import { DatabaseSync } from 'node:sqlite';
import type { SentMail } from './send-email.ts';

/** More are of no use to a person, and the data folder must not grow for ever. */
const maxKept = 1000;

/** The newest mails. */
export interface KeptMails {
  add(mail: SentMail): void;
  /** Newest first. */
  list(): SentMail[];
  find(id: string): SentMail | undefined;
  stop(): void;
}

/** @param file undefined to keep them in memory */
export function openMails(file: string | undefined): KeptMails {
  const database = new DatabaseSync(file ?? ':memory:');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;');
  database.exec(
    'CREATE TABLE IF NOT EXISTS mails (place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, mail TEXT NOT NULL)',
  );
  const insert = database.prepare('INSERT INTO mails (id, mail) VALUES (?, ?)');
  const forget = database.prepare('DELETE FROM mails WHERE place <= ?');
  const all = database.prepare('SELECT mail FROM mails ORDER BY place DESC');
  const one = database.prepare('SELECT mail FROM mails WHERE id = ?');
  const mailOf = (row: unknown) => JSON.parse((row as { mail: string }).mail) as SentMail;
  return {
    add: (mail) => {
      const { lastInsertRowid } = insert.run(mail.id, JSON.stringify(mail));
      forget.run(Number(lastInsertRowid) - maxKept);
    },
    list: () => all.all().map(mailOf),
    find: (id) => {
      const row = one.get(id);
      return row && mailOf(row);
    },
    stop: () => database.close(),
  };
}
