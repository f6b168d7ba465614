import { isIP } from 'node:net';

/** Letters and marks of any script; between them blanks, apostrophes, hyphens, a dot before a blank or the end. */
const plainName = /^[\p{L}\p{M}](?:[\p{L}\p{M}'’ -]|\.(?= |$))*$/u;
const longestName = 30;

/**
 * A greeting. A name that could be read as an address, markup or a message of its own is left out: whoever signs up with
 * another's address chooses it.
 */
export const greet = (firstName: string | null) =>
  firstName && firstName.length <= longestName && plainName.test(firstName) ? `Hello ${firstName},` : 'Hello,';

/** Somebody's address as text that mail programs do not turn into a link: an invisible word joiner follows each sign. */
export const unlink = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').replaceAll(/[@.:/]/g, '$&\u2060');

/** A network address, or nothing where it is not one. */
export const describeAddress = (address: string | null) =>
  address && isIP(address) ? `network address ${address}` : undefined;

/** Text for a header: a line break would begin another one. */
export const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').trim();

const date = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
const day = new Intl.DateTimeFormat('en-GB', date);
const minute = new Intl.DateTimeFormat('en-GB', { ...date, hour: '2-digit', minute: '2-digit' });

export const formatDay = (iso: string) => day.format(new Date(iso));
/** In UTC: nobody told us where the reader is. */
export const formatTime = (iso: string) => `${minute.format(new Date(iso))} UTC`;
