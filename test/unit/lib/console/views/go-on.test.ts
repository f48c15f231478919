import { expect, test, vi } from 'vitest';
import { goOn } from '#lib/console/views/go-on.ts';

const formThat = (isChanged: boolean) => ({ isChanged, reset: vi.fn(), basedOn: vi.fn() });

const stored = { values: { text: 'mine' }, etag: '2' };

test('a form shows what is stored after it was saved', async () => {
  const form = formThat(false);
  expect(
    await goOn(
      form,
      async () => stored,
      () => expect.unreachable(),
    ),
  ).toBe('fresh');
  expect(form.reset).toHaveBeenCalledExactlyOnceWith(stored.values, '2');
});

test('what was typed meanwhile stays, and the next save is based on what is stored', async () => {
  const form = formThat(true);
  expect(
    await goOn(
      form,
      async () => stored,
      () => expect.unreachable(),
    ),
  ).toBe('typed');
  expect(form.reset).not.toHaveBeenCalled();
  expect(form.basedOn).toHaveBeenCalledExactlyOnceWith('2');
});

test('what is typed while it is read counts, too', async () => {
  const form = formThat(false);
  const read = async () => {
    form.isChanged = true;
    return stored;
  };
  expect(await goOn(form, read, () => expect.unreachable())).toBe('typed');
  expect(form.reset).not.toHaveBeenCalled();
});

test('a failure to read it again is told, and the form stays as it is', async () => {
  const [form, told] = [formThat(false), vi.fn()];
  expect(await goOn(form, () => Promise.reject('down'), told)).toBe('unread');
  expect(told).toHaveBeenCalledExactlyOnceWith('down');
  expect(form.reset).not.toHaveBeenCalled();
});
