import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** The network of an IP address: /24 of IPv4, /48 of IPv6. Both are what one customer usually moves within. */
export function networkOf(address: string): string {
  const plain = normalizeIP(address, 48);
  return plain.includes(':') ? `${plain}/48` : `${plain.split('.').slice(0, 3).join('.')}.0/24`;
}

/**
 * The country (ISO 3166) that the proxy named in the configured header. Null without the header, and for requests that
 * didn't come through a trusted proxy: everyone else could name any country.
 */
export function readCountry(
  { COUNTRY_HEADER }: Pick<Config, 'COUNTRY_HEADER'>,
  { ips = [], headers }: Pick<FastifyRequest, 'ips' | 'headers'>,
): string | null {
  // Of requests that a trusted proxy forwarded, Fastify lists the proxy and the client.
  if (COUNTRY_HEADER === '' || ips.length < 2) return null;
  const country = headers[COUNTRY_HEADER];
  // Proxies write XX for an unknown country.
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) && country !== 'XX' ? country : null;
}
