import { describe, expect, it } from 'vitest';
import { refuseIfChanged } from '#platform/http/if-match.ts';

const tried = (header: string | undefined) => () => refuseIfChanged({ 'if-match': header }, '2026-11-15T10:00:00.000Z');

describe('A change that names the state it is based on', () => {
  it('is let through when that is the present state, in any spelling of HTTP', () => {
    for (const header of [
      '"2026-11-15T10:00:00.000Z"',
      'W/"2026-11-15T10:00:00.000Z"',
      '"old", "2026-11-15T10:00:00.000Z"',
    ])
      expect(tried(header)).not.toThrow();
  });

  it('is let through without the header, or with a star', () => {
    expect(tried(undefined)).not.toThrow();
    expect(tried('*')).not.toThrow();
  });

  it('is refused when the state is another one', () => {
    expect(tried('"2026-11-15T09:59:59.000Z"')).toThrow('changed_since_read');
    expect(tried('""')).toThrow('changed_since_read');
  });
});
