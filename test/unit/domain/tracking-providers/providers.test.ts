import { expect, test } from 'vitest';
import { providers } from '#domain/tracking-providers/providers.ts';
import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';

test.each(trackingProviders)('the connector of %s can be loaded', async (name) => {
  expect(await providers[name]()).toMatchObject({ baseUrl: expect.any(String) });
});
