interface Entry {
  data: { delivery?: { status: string } };
}

/** The first deliveries are there by then. */
const minReads = 5;

/** A delivery that waits longer is between two attempts, and may be for hours. */
const maxReads = 30;

/** Whether more of what the last move made happen is still to come. */
export const isGoingOn = (reads: number, entries: readonly Entry[]): boolean =>
  reads < minReads || (reads < maxReads && entries.some(({ data }) => data.delivery?.status === 'pending'));
