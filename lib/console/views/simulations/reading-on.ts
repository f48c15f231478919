interface Entry {
  data: { delivery?: { status: string } };
}

/** The last deliveries are there by then, also if the service is busy. */
const minReads = 8;

/** A delivery that waits longer is between two attempts, and may be for hours. */
const maxReads = 30;

/** Whether more of what the last move made happen is still to come. */
export const isGoingOn = (reads: number, entries: readonly Entry[]): boolean =>
  reads < minReads || (reads < maxReads && entries.some(({ data }) => data.delivery?.status === 'pending'));
