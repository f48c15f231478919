import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>;

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name server. Not `dns.lookup`: that waits in one of four threads, and a few names with a dead name server
 * would hold up all the others. IPv4 first: functions reach nothing else outside their network.
 */
export const askNameServer: Resolve = async (hostname) => {
  try {
    return await resolver.resolve4(hostname);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENODATA') throw error;
    return resolver.resolve6(hostname);
  }
};

/** As this machine does, with its hosts file: `localhost` has no name server. */
export const askThisMachine: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
