import { expect, test, vi } from 'vitest';

vi.mock('console:operations', () => ({ operations: {} }));
const notify = vi.fn();
vi.mock('#lib/console/ui/notices.tsx', () => ({ notify }));

const { Form } = await import('#lib/console/ui/form.tsx');
const { goOn } = await import('#lib/console/views/go-on.ts');

const formOf = (whileSaving = () => {}) => {
  const sent: (string | undefined)[] = [];
  const form = new Form({
    initial: { text: 'first' },
    etag: '1',
    save: async (_, ifMatch) => {
      sent.push(ifMatch);
      whileSaving();
    },
  });
  form.set({ text: ' mine ' });
  return { form, sent };
};

test('a form shows what is stored after it was saved, and the next save is based on that', async () => {
  const { form, sent } = formOf();
  await form.save();
  expect(await goOn(form, async () => ({ values: { text: 'mine' }, etag: '2' }))).toBe('fresh');
  expect(form.values.value).toEqual({ text: 'mine' });
  await form.save();
  expect(sent).toEqual(['1', '2']);
});

test('what was typed while it was saved stays, and the next save is based on what is stored', async () => {
  const { form, sent } = formOf(() => form.set({ text: 'more' }));
  await form.save();
  expect(await goOn(form, async () => ({ values: { text: 'mine' }, etag: '2' }))).toBe('typed');
  expect([form.values.value, form.isChanged]).toEqual([{ text: 'more' }, true]);
  await form.save();
  expect(sent).toEqual(['1', '2']);
});

test('a failure to read it again is said, and nothing is lost', async () => {
  const { form } = formOf();
  await form.save();
  expect(await goOn(form, () => Promise.reject(new Error('down')))).toBe('unread');
  expect(notify).toHaveBeenCalledWith(expect.any(String), 'failed');
  expect([form.values.value, form.isChanged]).toEqual([{ text: ' mine ' }, false]);
});
