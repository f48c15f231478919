import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isLoopback, isPublicAddress } from './public-address.ts';
import { limitResponses } from './response-limit.ts';

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
    if (result[1]) limitResponses(result[1]);
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

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name server. Not `dns.lookup`: that waits in one of four threads, and a few names with a dead name server
 * would hold up all the others. IPv4 first: functions reach nothing else outside their network.
 */
export const resolveByDns: Resolve = async (hostname) => {
  try {
    return await resolver.resolve4(hostname);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENODATA') throw error;
    return resolver.resolve6(hostname);
  }
};

/** As this machine does, with its hosts file: `localhost` has no name server. */
export const resolveLocally: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
