/**
 * Dated versions of the interface, oldest first. A backward-incompatible change adds a version here and says, operation
 * by operation, how a request of the version before becomes one of the new version and how an answer goes back.
 * Everything behind this list knows only the newest version.
 */
export interface VersionChange {
  operation: string;
  description: string;
  /** Body of the version before → body of this version. */
  upgradeRequest?: (body: unknown) => unknown;
  /** Answer of this version → answer of the version before. */
  downgradeResponse?: (body: unknown) => unknown;
}

export interface Version {
  date: string;
  changes: readonly VersionChange[];
}

export const versions: readonly [Version, ...Version[]] = [{ date: '2026-11-14', changes: [] }];

/** A missing header, or one that names no version, means the latest. */
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
