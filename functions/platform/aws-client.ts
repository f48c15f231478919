import { Sha256 } from './sdk-shortcuts.ts';

/** How many times the SDK sends a request that fails. */
const maxSends = 3;

const connectionTimeout = 2_000;
const requestTimeout = 6_000;

/**
 * What every AWS client of a function is made with. Without limits the SDK waits for an answer until the function's time
 * is over, and the function cannot report why. All sends of one request together take less than the shortest function
 * has.
 */
export const clientOptions = {
  maxAttempts: maxSends,
  requestHandler: { connectionTimeout, requestTimeout, throwOnRequestTimeout: true },
  sha256: Sha256,
};

export const longestRequestMs = maxSends * (connectionTimeout + requestTimeout);
