/** The distribution adds this header to every request. Its value shows the functions that the request came that way. */
export const distributionHeader = 'x-distribution-mark';

/** So it does with this one, which names its own address. */
export const distributionDomainHeader = 'x-distribution-domain';

/** And this one: the address that the caller connects from. */
export const distributionViewerHeader = 'x-distribution-viewer';
