import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test, vi } from 'vitest';

const script = readFileSync(new URL('../../../../../functions/api/pages/views/page.js', import.meta.url), 'utf8');

interface Photo {
  size: number;
  type: string;
}

/** As much of a browser as the script needs for a form with photos. It decodes no photo, so all stay as they are. */
function openForm() {
  const decoding = Promise.withResolvers<void>();
  const requestSubmit = vi.fn();
  const form = Object.assign(new EventTarget(), { requestSubmit });
  const input = Object.assign(new EventTarget(), {
    id: 'images',
    type: 'file',
    files: [] as Photo[],
    form,
    dataset: { bytes: '4000' },
    setCustomValidity: vi.fn(),
  });
  const main = { innerHTML: '', hasAttribute: () => false };
  class DataTransfer {
    readonly files: Photo[] = [];
    readonly items = { add: (file: Photo) => this.files.push(file) };
  }
  const createImageBitmap = () => decoding.promise.then(() => Promise.reject(new Error('cannot be decoded')));
  // A browser passes the events of an element on to its document.
  const document = {
    querySelector: () => main,
    querySelectorAll: () => [],
    getElementById: (id: string) => id === 'images-help' && { textContent: 'At most 4 KB together.' },
    addEventListener: (name: string, listener: (event: object) => void) => {
      for (const element of [form, input]) element.addEventListener(name, listener);
    },
  };
  runInNewContext(script, { document, navigator: {}, DataTransfer, createImageBitmap });
  return { form, input, requestSubmit, decoded: decoding.resolve };
}

const photo = (size: number): Photo => ({ size, type: 'image/jpeg' });
const submit = (form: EventTarget) => {
  const event = new Event('submit', { cancelable: true });
  form.dispatchEvent(event);
  return event;
};

describe('the script of a form with photos', () => {
  let page: ReturnType<typeof openForm>;
  const choose = (...photos: Photo[]) => {
    page.input.files = photos;
    page.input.dispatchEvent(new Event('change'));
  };

  beforeEach(() => {
    page = openForm();
  });

  test('lets a form without photos go', () => {
    expect(submit(page.form).defaultPrevented).toBe(false);
  });

  test('holds a form until its photos are small, and then sends it', async () => {
    choose(photo(500_000));
    expect(submit(page.form).defaultPrevented).toBe(true);
    expect(page.requestSubmit).not.toHaveBeenCalled();
    page.decoded();
    await vi.waitFor(() => expect(page.requestSubmit).toHaveBeenCalledOnce(), { timeout: 20_000 });
    expect(submit(page.form).defaultPrevented).toBe(false);
  });

  test('says the limit if the photos are too large together, until others are chosen', async () => {
    choose(photo(3000), photo(1001));
    await vi.waitFor(() => expect(page.input.setCustomValidity).toHaveBeenLastCalledWith('At most 4 KB together.'), {
      timeout: 20_000,
    });
    choose(photo(3000), photo(1000));
    expect(page.input.setCustomValidity).toHaveBeenLastCalledWith('');
    expect(submit(page.form).defaultPrevented).toBe(true);
    await vi.waitFor(() => expect(page.requestSubmit).toHaveBeenCalledOnce(), { timeout: 20_000 });
    expect(page.input.setCustomValidity).toHaveBeenLastCalledWith('');
  });
});
