import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where templates are synthesized. A worker is ended before it can remove what it made, and a run makes gigabytes. */
export default function setup() {
  if (process.env.TEST_SYNTHESES) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'syntheses-'));
  process.env.TEST_SYNTHESES = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
