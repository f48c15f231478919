/**
 * What an automation does may be an event that sets off another one. The name of who caused an event tells the chain: an
 * automation that is in it already does not run again, and no chain is longer than this.
 */
const longestChain = 3;

const prefix = 'automation:';

/** Who caused an event, where automations did: all of the chain, the first one first. */
export const causedBy = (chain: readonly string[], automationId: string): string =>
  prefix + [...chain, automationId].join(',');

/** The automations that led to an event; none where somebody else caused it. */
export function chainOf(event: object): string[] {
  const by = 'by' in event ? event.by : undefined;
  return typeof by === 'string' && by.startsWith(prefix) ? by.slice(prefix.length).split(',') : [];
}

export function chainFault(chain: readonly string[], automationId: string): 'loop' | 'chain_too_long' | undefined {
  if (chain.includes(automationId)) return 'loop';
  return chain.length >= longestChain ? 'chain_too_long' : undefined;
}
