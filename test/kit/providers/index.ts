import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';
import { fakeAftership } from './aftership.ts';
import { fakeEasypost } from './easypost.ts';
import type { FakeProvider } from './fake-provider.ts';
import { fakeSeventeentrack } from './seventeentrack.ts';
import { fakeShip24 } from './ship24.ts';
import { fakeShippo } from './shippo.ts';

export const fakeProviders: Readonly<Record<TrackingProviderName, FakeProvider>> = {
  aftership: fakeAftership,
  easypost: fakeEasypost,
  shippo: fakeShippo,
  ship24: fakeShip24,
  seventeentrack: fakeSeventeentrack,
};
