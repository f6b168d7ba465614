import { randomBytes } from 'node:crypto';
import {
  type MailCatcher,
  type MailCatcherOptions,
  openMailCatcher as open,
} from '@uprez/local-stack/mail/open-mail-catcher';
import { waitUntil } from './wait-until.ts';

/**
 * Opens a mail server that stores all emails. `env`: settings for a product that uses the server. `url`: URL of the
 * inbox.
 */
export function openMailCatcher(options: Omit<MailCatcherOptions, 'user' | 'password'> = {}): Promise<MailCatcher> {
  return open({ user: 'uprez', password: randomBytes(16).toString('hex'), ...options });
}

export type TestMail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Values by lowercase header name. */
  headers: Record<string, string>;
  date: string;
};

/**
 * Returns the emails to an address, newest first. Returns all emails if the address is empty. `url`: URL of the mail
 * catcher.
 */
export async function listMails(url: string, to: string): Promise<TestMail[]> {
  const response = await fetch(`${url}/messages?to=${encodeURIComponent(to)}`);
  return (await response.json()) as TestMail[];
}

/** Returns the mail catcher's HTML page for the newest email to an address. The page includes the sender. */
export async function findMailPage(url: string, to: string): Promise<string> {
  const list = await (await fetch(`${url}/?to=${encodeURIComponent(to)}`)).text();
  const [, path = ''] = /href="(\/mails\/[^"]+)"/.exec(list) ?? [];
  return (await fetch(url + path)).text();
}

/** Waits until an email to an address has `subject` in its subject line. Returns the newest such email. */
export function waitForMail(url: string, to: string, subject = ''): Promise<TestMail> {
  const find = async () => (await listMails(url, to)).find((mail) => mail.subject.includes(subject));
  return waitUntil(find, { what: `a mail "${subject}"` });
}

/** Returns the first URL with a token in an email. Throws if the email has none. */
export function findMailLink({ text }: Pick<TestMail, 'text'>): URL {
  const [link] = /https?:\/\/\S+[?&]token=\S+/.exec(text) ?? [];
  if (!link) throw new Error(`a link is missing in:\n${text}`);
  return new URL(link);
}
