import { join } from 'node:path';
import { expect, test } from 'vitest';
import { privacyPage } from '#test/kit/privacy-page.ts';

test('the privacy page says what the declarations say', async () => {
  await expect(privacyPage()).toMatchFileSnapshot(join(process.cwd(), 'lib/privacy.md'));
});
