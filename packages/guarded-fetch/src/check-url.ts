import { isIP } from 'node:net';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { isStorable } from '@uprez/contracts/schemas/stored-text';

/** A URL that may be asked, as far as it can be told from its text. `literal`: its host is an IP address already. */
export type Target = { url: URL; host: string; literal: boolean };

/** A name without a dot, or below what is never public (RFC 6761, 6762): nobody need hear whether there is such a machine. */
const inside = /^[^.]*\.?$|\.(localhost|local|internal)\.?$/;

/** Parse a URL as browsers do and accept only `https` on port 443 without credentials. Throws `url_not_allowed`. */
export function checkUrl(text: string, base?: string): Target {
  const url =
    text.length <= limits.urlLength && isStorable(text) && URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (!url) throw refused('Enter a valid URL.');
  if (url.protocol !== 'https:') throw refused('The URL must start with https://.');
  if (url.username || url.password) throw refused("The URL can't contain a username or password.");
  if (url.port) throw refused('The URL must use port 443.');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = isIP(host) > 0;
  if (!literal && inside.test(host)) throw refused('The URL must be on the public internet.');
  return { url, host, literal };
}

export const refused = (why: string) => new AppError('url_not_allowed', { detail: why, param: 'imageUrl' });
