import type { Construct } from 'constructs';

const isSpread = 'spread-shipments';

/** Applies to all functions that use the table and are created in the scope after this. */
export const spreadShipments = (scope: Construct): void => scope.node.setContext(isSpread, true);

/** The environment of a function that may list shipments. Absent: it lists them as the release before does. */
export const spreadOf = (scope: Construct): Record<string, string> =>
  scope.node.tryGetContext(isSpread) === true ? { SPREAD_SHIPMENTS: 'true' } : {};
