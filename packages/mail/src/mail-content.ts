import { isIP } from 'node:net';

export type MailContent = {
  subject: string;
  /** The first one is also the preview text. */
  lines: string[];
  action?: { label: string; url: string };
  /** Formatted content below the paragraphs. `html` must be sanitized. */
  body?: { html: string; text: string };
  after?: string[];
  /** Whether the email starts with a greeting. Set to false if its author writes the greeting. */
  greets?: boolean;
};

export type MailFacts = {
  siteName: string;
  supportEmail: string;
  /** Empty and missing values are omitted. */
  owner?: { supportHours: string; company: string; companyAddress: string };
  publicUrl: string;
  firstName: string | null;
  token?: string | undefined;
  /** For bulk emails only: why the recipient is being emailed, and how to unsubscribe. */
  subscription?: Subscription;
};

export type Subscription = { reason: string; unsubscribeUrl: string; preferencesUrl: string };

export function pageUrl(publicUrl: string, path: string, token?: string): string {
  const url = new URL(publicUrl.replace(/\/+$/, '') + path);
  if (token !== undefined) url.searchParams.set('token', token);
  return url.href;
}

/**
 * Matches names with letters and marks of any script, spaces, apostrophes, and hyphens. A period is allowed before a
 * space or at the end.
 */
const plainName = /^[\p{L}\p{M}](?:[\p{L}\p{M}'’ -]|\.(?= |$))*$/u;
const longestName = 30;

/**
 * Returns a greeting with the first name. Names that could be a link, markup, or a message are omitted, because anyone
 * can sign up with another person's email address.
 */
export const greet = (firstName: string | null) =>
  firstName && firstName.length <= longestName && plainName.test(firstName) ? `Hello ${firstName},` : 'Hello,';

/** Returns the greeting paragraph of an email, or an empty list if it has none. */
export const greetingOf = (
  { greets = true }: Pick<MailContent, 'greets'>,
  { firstName }: Pick<MailFacts, 'firstName'>,
) => (greets ? [greet(firstName)] : []);

/** Inserts word joiners, because email clients would otherwise turn parts of the text into links. */
export const unlink = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').replaceAll(/[@.:/]/g, '$&\u2060');

/** Formats an IP address. Returns undefined for null and for other strings. */
export const describeAddress = (address: string | null) =>
  address && isIP(address) ? `IP address ${address}` : undefined;

/** Replaces line breaks, which could inject another email header. */
export const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').trim();

const date = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
const day = new Intl.DateTimeFormat('en-US', date);
const minute = new Intl.DateTimeFormat('en-US', { ...date, hour: 'numeric', minute: '2-digit' });

export const formatDay = (iso: string) => day.format(new Date(iso));
/** Formats a time in UTC, because the reader's time zone is unknown. */
export const formatTime = (iso: string) => `${minute.format(new Date(iso))} UTC`;

type FooterFacts = Pick<MailFacts, 'siteName' | 'supportEmail' | 'publicUrl' | 'owner'>;

export function footer({ siteName, supportEmail, publicUrl, owner }: FooterFacts): string {
  const hours = owner?.supportHours ? ` (${oneLine(owner.supportHours)})` : '';
  const company = [owner?.company, owner?.companyAddress].filter((text) => text !== undefined && text !== '');
  const questions = `${siteName} · ${publicUrl} · Questions? Contact ${supportEmail}${hours}.`;
  return [questions, company.map((text) => oneLine(text ?? '')).join(', ')].filter(Boolean).join(' ');
}
