/** What functions count themselves, beside what AWS counts for each of them. */
export const ownMetrics = {
  /** Requests that were answered with an unexpected error. */
  unexpectedErrors: 'UnexpectedErrors',
  /** Requests that were answered with 502, because the shop's own system failed. */
  badGateways: 'BadGateways',
  /** Customers whose segments could not be fetched for a day. */
  segmentsGivenUp: 'SegmentsGivenUp',
  /** Batches in which a delivery ended in a fault of ours, and was put back. No attempt is counted, so nothing else tells. */
  deliveryFaults: 'DeliveryFaults',
  /** Seconds since the oldest of the messages was sent that a function could not handle and that wait in their queue. */
  oldestFailingMessage: 'OldestFailingMessage',
} as const;

export type OwnMetric = (typeof ownMetrics)[keyof typeof ownMetrics];
