/**
 * The dated versions of the interface, oldest first. A backward-incompatible change adds a version. For each changed
 * operation, the version says how to upgrade a request from the version before, and how to downgrade a response to it.
 * All other code knows only the newest version.
 */
interface VersionChange {
  operation: string;
  description: string;
  /** Turns a body of the version before into a body of this version. */
  upgradeRequest?: (body: unknown) => unknown;
  /** Turns a response of this version into a response of the version before. */
  downgradeResponse?: (body: unknown) => unknown;
}

export interface Version {
  date: string;
  changes: readonly VersionChange[];
}

export const versions: readonly [Version, ...Version[]] = [{ date: '2026-11-14', changes: [] }];

/** A missing header or an unknown version means the latest version. */
export function selectVersion(header: string | undefined, known: readonly Version[] = versions): string {
  return known.find((version) => version.date === header?.trim())?.date ?? known.at(-1)!.date;
}

export function upgradeRequest(operation: string, from: string, body: unknown, known = versions): unknown {
  return changesSince(operation, from, known).reduce(
    (b, { upgradeRequest }) => (upgradeRequest ? upgradeRequest(b) : b),
    body,
  );
}

export function downgradeResponse(operation: string, to: string, body: unknown, known = versions): unknown {
  return changesSince(operation, to, known)
    .reverse()
    .reduce((b, { downgradeResponse }) => (downgradeResponse ? downgradeResponse(b) : b), body);
}

function changesSince(operation: string, date: string, known: readonly Version[]): VersionChange[] {
  return known
    .filter((version) => version.date > date)
    .flatMap((version) => version.changes)
    .filter((change) => change.operation === operation);
}
