import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openCheckpoint } from '#lib/local/functions/event-sources/checkpoint.ts';

let folder: string;
beforeEach(() => {
  vi.useFakeTimers();
  folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const open = () => openCheckpoint('Mapping', 'stream', folder);
const position = { shardId: 'shard', sequenceNumber: '7' };

it('keeps a position for the next start a moment after it was reached', () => {
  const checkpoint = open();
  checkpoint.write(position);
  expect(checkpoint.read()).toEqual(position);
  expect(open().read()).toBeUndefined();
  vi.advanceTimersByTime(1000);
  expect(open().read()).toEqual(position);
});

it('keeps the last position at once when the stack stops', () => {
  const checkpoint = open();
  checkpoint.write({ shardId: 'shard', sequenceNumber: '6' });
  checkpoint.write(position);
  checkpoint.flush();
  expect(open().read()).toEqual(position);
});
