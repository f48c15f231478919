/** The companies that watch parcels at the carriers, by their names in the API. */
export const trackingProviders = ['aftership', 'easypost', 'shippo', 'ship24', 'seventeentrack'] as const;

export type TrackingProviderName = (typeof trackingProviders)[number];
