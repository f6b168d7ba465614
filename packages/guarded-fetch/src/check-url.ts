import { isIP } from 'node:net';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isStorable } from '@uprez/contracts/schemas/stored-text';
import ipaddr from 'ipaddr.js';

/** A URL that may be asked, as far as it can be told from its text. `literal`: its host is an IP address already. */
export type Target = { url: URL; host: string; literal: boolean; isLoopback?: boolean };

/** This machine, without a lookup that could lead elsewhere. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** A name without a dot, or below what is never public (RFC 6761, 6762): nobody need hear whether there is such a machine. */
const inside = /^[^.]*\.?$|\.(localhost|local|internal)\.?$/;

/** `allowsLoopback`: URLs of this machine are allowed, too, with any port and without TLS. */
type CheckOptions = { base?: string | undefined; allowsLoopback?: boolean | undefined };

/**
 * Parse a URL as browsers do and accept only `https` on port 443 without credentials, and no IP address that is not
 * public. Host names are not resolved. Throws `url_not_allowed`.
 */
export function checkUrl(text: string, { base, allowsLoopback = false }: CheckOptions = {}): Target {
  const url =
    text.length <= limits.urlLength && isStorable(text) && URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (!url) throw refused('Enter a valid URL.');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = isIP(host) > 0;
  if (allowsLoopback && /^https?:$/.test(url.protocol) && !url.username && !url.password && loopback.test(host))
    return { url, host, literal, isLoopback: true };
  if (url.protocol !== 'https:') throw refused('The URL must start with https://.');
  if (url.username || url.password) throw refused("The URL can't contain a username or password.");
  if (url.port) throw refused('The URL must use port 443.');
  if (literal ? !isPublicAddress(host) : inside.test(host)) throw notPublic();
  return { url, host, literal };
}

const refused = (why: string) => new AppError('url_not_allowed', { detail: why, param: 'imageUrl' });

export const notPublic = () => refused('The URL must be on the public internet.');

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
