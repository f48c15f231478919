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
  /** The local stack sends to receivers on the same machine. */
  allowLoopback: boolean;
  timeoutMs: number;
  /** Of a response. */
  maxBytesRead: number;
}

/** Node's default of 250 ms is too short for distant targets. */
const nextAddressDelayMs = 2_500;

/**
 * Opens connections only to public addresses. It resolves the name itself and connects only to the addresses that it
 * checked, so a DNS answer that changes between check and connection has no effect.
 */
export function guardedConnector({ resolve, allowLoopback, timeoutMs, maxBytesRead }: Guard): buildConnector.connector {
  const isAllowed = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopback(address));
  const connect = buildConnector({
    // With HTTP/2 a target could block other requests on the same connection.
    allowH2: false,
    timeout: timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressDelayMs,
    lookup: checkedLookup(resolve, isAllowed),
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    // An IP address in the URL needs no lookup, so it is checked here.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0 || isAllowed(host)) connect(options, limited(callback, maxBytesRead));
    else queueMicrotask(() => callback(new PrivateAddress(), null));
  };
}

const limited =
  (callback: buildConnector.Callback, maxBytesRead: number): buildConnector.Callback =>
  (...result) => {
    if (result[1]) limitResponses(result[1], maxBytesRead);
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

/** Returns the IP addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name server. Not `dns.lookup`, which uses one of four threads, so a few names with a dead name server would
 * block all others. IPv4 first, because functions reach nothing else outside their network.
 */
export const resolveByDns: Resolve = async (hostname) => {
  try {
    return await resolver.resolve4(hostname);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENODATA') throw error;
    return resolver.resolve6(hostname);
  }
};

/** Uses the hosts file too, because no name server knows `localhost`. */
export const resolveLocally: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
