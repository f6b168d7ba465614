import { isIP } from 'node:net';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isStorable } from '@uprez/contracts/schemas/stored-text';
import ipaddr from 'ipaddr.js';

/** A URL that passed all checks that don't need DNS. `literal`: whether the host is an IP address. */
export type Target = { url: URL; host: string; literal: boolean; isLoopback?: boolean };

/** Loopback hosts. They aren't resolved, because a lookup could return another IP address. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Host names without a dot, or under domains that are never public (RFC 6761, 6762). They are rejected before a lookup,
 * because an error after it would reveal whether the host exists.
 */
const internalHost = /^[^.]*\.?$|\.(localhost|local|internal)\.?$/;

/** `allowsLoopback`: whether loopback URLs are allowed, with any port and without TLS. */
type CheckOptions = { base?: string | undefined; allowsLoopback?: boolean | undefined };

/**
 * Parses a URL as browsers do, and checks it without resolving its host. The URL must use `https` on port 443 without
 * credentials, and an IP address must be public. Throws `url_not_allowed`.
 */
export function checkUrl(text: string, { base, allowsLoopback = false }: CheckOptions = {}): Target {
  const url =
    text.length <= limits.urlLength && isStorable(text) && URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (!url) throw createUrlError('Enter a valid URL.');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = isIP(host) > 0;
  if (allowsLoopback && /^https?:$/.test(url.protocol) && !url.username && !url.password && loopback.test(host))
    return { url, host, literal, isLoopback: true };
  if (url.protocol !== 'https:') throw createUrlError('The URL must start with https://.');
  if (url.username || url.password) throw createUrlError("The URL can't contain a username or password.");
  if (url.port) throw createUrlError('The URL must use port 443.');
  if (literal ? !isPublicAddress(host) : internalHost.test(host)) throw notPublic();
  return { url, host, literal };
}

const createUrlError = (why: string) => new AppError('url_not_allowed', { detail: why, param: 'imageUrl' });

export const notPublic = () => createUrlError('The URL must be on the public internet.');

/** The only IPv6 range of public addresses (RFC 4291). All other ranges are special or unassigned. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Internal platform endpoint on all Azure machines. Rejected explicitly, because it is in a public range. */
const azurePlatformAddress = '168.63.129.16';

/** Whether an IP address is public: not private, link-local, multicast, tunneled, reserved, or cloud metadata. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === azurePlatformAddress) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}
