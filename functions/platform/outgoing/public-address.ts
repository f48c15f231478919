import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is one of the public internet. Not: private, loopback, link-local (where metadata services
 * live), carrier-grade NAT, multicast, reserved, and whatever holds an IPv4 address inside an IPv6 one: what is dialled
 * in the end would be another address than the one that was looked at.
 */
export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast, 3) || false;
}

export const isLoopback = (text: string): boolean => parsed(text)?.range() === 'loopback';

/** All that was ever given out of IPv6. Around it lie forgotten forms such as `::127.0.0.1`. */
const globalUnicast = ipaddr.IPv6.parse('2000::');

function parsed(text: string) {
  return ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
}
