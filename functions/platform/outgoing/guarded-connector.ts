import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { limitAnswers } from './answer-limit.ts';
import { isLoopback, isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolve-name.ts';

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

export interface Guard {
  resolve: Resolve;
  /** The local stack sends to receivers on this machine. */
  allowLoopback: boolean;
  timeoutMs: number;
}

/** Node's own 250 ms give up on far targets. */
const beforeNextAddress = 2_500;

/**
 * Opens connections to public addresses only. A name is resolved here, and only the addresses that passed are dialled:
 * a name that changes its mind between a check and the connection gains nothing.
 */
export function guardedConnector({ resolve, allowLoopback, timeoutMs }: Guard): buildConnector.connector {
  const isAllowed = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopback(address));
  const dial = buildConnector({
    // One request per connection at a time: with HTTP/2 a target could stall what shares its connection.
    allowH2: false,
    timeout: timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: beforeNextAddress,
    lookup: checkedLookup(resolve, isAllowed),
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    // An address in the URL is dialled without a lookup.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0 || isAllowed(host)) dial(options, limited(callback));
    else queueMicrotask(() => callback(new PrivateAddress(), null));
  };
}

const limited =
  (callback: buildConnector.Callback): buildConnector.Callback =>
  (...result) => {
    if (result[1]) limitAnswers(result[1]);
    callback(...result);
  };

function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const allowed = addresses.filter(isAllowed).map((address) => ({ address, family: isIP(address) }));
        const [first] = allowed;
        if (!first) callback(new PrivateAddress(), '', 0);
        else if (all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}
