import * as z from 'zod';
import { limits } from '../policy/limits.ts';

const isOrigin = (text: string): boolean =>
  URL.canParse(text) &&
  /^https?:$/.test(new URL(text).protocol) &&
  new URL(text).origin === text &&
  !text.includes('*');

/** Whether traffic to an origin is safe from interception, because the origin uses https or is on this computer. */
export function isSecureOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** An origin in the form that browsers send: scheme, host, and port. */
export const originSchema = z
  .string()
  .trim()
  .max(limits.originLength)
  .refine(isOrigin, { error: 'Each origin must be a URL such as https://example.com.' });

const keyOriginSchema = z
  .string()
  .trim()
  .max(limits.originLength)
  .refine((text) => isOrigin(text) && isSecureOrigin(text), {
    error:
      'Each origin must be "https://" and a host name in lower case, without a path, such as https://shop.example. Local origins, such as http://localhost:5173, can use http.',
  });

/** Origins that an API key allows, without duplicates. The origins in the security settings are also allowed. */
export const keyOriginsSchema = z
  .array(keyOriginSchema)
  .max(limits.apiKeyOrigins)
  .transform((origins) => [...new Set(origins)]);
