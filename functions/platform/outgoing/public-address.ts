import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet. False for private, loopback, link-local (metadata services),
 * carrier-grade NAT, multicast and reserved addresses, and for IPv6 addresses that contain an IPv4 address, because the
 * connection would go to another address than the checked one.
 */
export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(globalUnicast, 3) || false;
}

export const isLoopback = (text: string): boolean => parsed(text)?.range() === 'loopback';

/** The only IPv6 range in public use. Outside of it are old forms such as `::127.0.0.1`. */
const globalUnicast = ipaddr.IPv6.parse('2000::');

function parsed(text: string) {
  return ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
}
