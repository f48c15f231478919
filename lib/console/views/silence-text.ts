import { silenceLimits } from '#schemas/catalogues/limits.ts';
import { t } from '../texts/texts.ts';

/** When a parcel is called silent. */
export const silenceText = (): string =>
  t('overview.attention.silence', {
    percent: silenceLimits.percent,
    known: silenceLimits.knownParcels,
    days: silenceLimits.usualDays,
  });
