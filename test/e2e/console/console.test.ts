import { describe, expect, test } from 'vitest';
import { api } from '#test/e2e/kit/shared-stack.ts';

describe('the console', () => {
  test.each(['/console', '/console/', '/console/s/any-shop/orders/1.2?tab=x'])(
    'is one page, which may run its own files only, at %s',
    async (path) => {
      const { status, headers, text } = await api('GET', path);
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'text/html',
        'no-cache',
      ]);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).toContain('<div id="app">');
      expect(text).not.toMatch(/<script>|<style|\sstyle="|\son\w+="/);
    },
  );

  test('has files that browsers keep for ever', async () => {
    const { text } = await api('GET', '/console');
    const files = [...text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(2);
    for (const file of files) {
      const { status, headers } = await api('GET', file);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers.get('content-type')).toBe(file.endsWith('.js') ? 'text/javascript' : 'text/css');
    }
  });

  test('shows nothing but its own files', async () => {
    for (const path of ['/console/assets/nothing.js', '/console/assets/%ff']) {
      expect((await api('GET', path)).status).toBe(403);
    }
    expect((await api('POST', '/console', { body: {} })).status).toBe(403);
  });
});
