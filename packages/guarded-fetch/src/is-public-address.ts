import ipaddr from 'ipaddr.js';

/** The only part of IPv6 that is handed out to the public (RFC 4291); everything else is special or not in use. */
const global = ipaddr.IPv6.parseCIDR('2000::/3');
/** Looks public and is none: where every machine of Azure reaches its own platform. */
const platform = '168.63.129.16';

/** Whether an IP address is public: not private, link-local, multicast, tunneled, reserved, or cloud metadata. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === platform) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(global);
}
