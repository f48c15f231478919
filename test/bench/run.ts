import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchDeliveries } from './deliveries.ts';
import { benchDue } from './due.ts';
import { benchHandler } from './handler-time.ts';
import { benchLoad } from './load-time.ts';

/** `npm run bench`: every figure beside a floor that is measured in the same run, since machines differ. */
const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  await benchLoad(folder);
  await benchHandler(folder);
  await benchDeliveries();
  await benchDue();
} finally {
  await rm(folder, { recursive: true });
}
