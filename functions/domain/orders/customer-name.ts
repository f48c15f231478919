import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { type CustomerWords, customerPlace, partitionOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { quickSearchLimits } from '#schemas/catalogues/limits.ts';

/** Names as a search compares them: people write the same name in several ways, and support hears it on the phone. */

/** With its keys, a name must stay below the 1 KB of a sort key. */
const maxWordLength = 60;
const maxWords = 6;

/** Undefined if the name has no letter or digit. */
export function customerWords(name: string): CustomerWords | undefined {
  const words = foldedWords(name);
  const last = words.at(-1);
  return last === undefined ? undefined : { last, others: words.slice(0, -1) };
}

/** The words without case, accents and punctuation. Of a very long name the last words count. */
export function foldedWords(name: string): string[] {
  const folded = withoutAccents(name.toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ');
  const words = folded.split(' ').filter((word) => word !== '');
  return words.slice(-maxWords).map((word) => word.slice(0, maxWordLength));
}

const withoutAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøæœłđð]/g, (letter) => plainLetters[letter]!)
    // Müller, Mueller and Muller are one name.
    .replace(/([aou])e/g, '$1');

const plainLetters: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'a', œ: 'o', ł: 'l', đ: 'd', ð: 'd' };

/** Whether the searched words can be the beginnings of the other words of a name, each of another word. */
export function areBeginnings(searched: readonly string[], others: readonly string[]): boolean {
  const left = [...others];
  return searched.every((word) => {
    const found = left.findIndex((other) => other.startsWith(word));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

/** The orders of customers with this name, newest first. */
export async function findCustomers(slug: string, name: string): Promise<string[]> {
  const words = foldedWords(name);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return [];
  // People say "Mara Lindqvist" or "Lindqvist, Mara".
  const readings = [
    { last, others: words.slice(0, -1) },
    ...(words.length > 1 && first !== last ? [{ last: first, others: words.slice(1) }] : []),
  ];
  const found = await Promise.all(readings.map(({ last, others }) => ordersOf(slug, last, others)));
  return found.flat();
}

async function ordersOf(slug: string, lastWord: string, beginnings: readonly string[]): Promise<string[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partitionOf.ordersByCustomer(slug, lastWord), { index: 'names' }),
      ScanIndexForward: false,
      Limit: beginnings.length === 0 ? quickSearchLimits.results : quickSearchLimits.namesakes,
    }),
  );
  return Items.map(({ name_sk }) => customerPlace(String(name_sk)))
    .filter(({ others }) => areBeginnings(beginnings, others))
    .slice(0, quickSearchLimits.results)
    .map(({ orderId }) => orderId);
}
