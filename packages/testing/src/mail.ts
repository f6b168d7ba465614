import { randomBytes } from 'node:crypto';
import {
  type MailCatcher,
  type MailCatcherOptions,
  openMailCatcher as open,
} from '@uprez/local-stack/mail/open-mail-catcher';
import { waitUntil } from './wait-until.ts';

/** A mail server of this file's own that catches everything. Its `env` points a product at it, its `url` is its page. */
export function openMailCatcher(options: Omit<MailCatcherOptions, 'user' | 'password'> = {}): Promise<MailCatcher> {
  return open({ user: 'uprez', password: randomBytes(16).toString('hex'), ...options });
}

/** A mail as the catcher's page answers it. */
export type TestMail = { to: string; subject: string; text: string; html: string; date: string };

/** The mails to an address that have come so far, newest first. `url`: of the catcher's page. */
export async function listMails(url: string, to: string): Promise<TestMail[]> {
  const response = await fetch(`${url}/messages?to=${encodeURIComponent(to)}`);
  return (await response.json()) as TestMail[];
}

/** The page that shows the newest mail to an address, with its sender. */
export async function findMailPage(url: string, to: string): Promise<string> {
  const list = await (await fetch(`${url}/?to=${encodeURIComponent(to)}`)).text();
  const [, path = ''] = /href="(\/mails\/[^"]+)"/.exec(list) ?? [];
  return (await fetch(url + path)).text();
}

/** Wait until a mail to an address has come whose subject contains `subject`; the newest one. */
export function waitForMail(url: string, to: string, subject = ''): Promise<TestMail> {
  const find = async () => (await listMails(url, to)).find((mail) => mail.subject.includes(subject));
  return waitUntil(find, { what: `a mail "${subject}"` });
}

/** The link of a mail that does something: its first address with a token. */
export function findMailLink({ text }: TestMail): URL {
  const [link] = /https?:\/\/\S+[?&]token=\S+/.exec(text) ?? [];
  if (!link) throw new Error(`a link is missing in:\n${text}`);
  return new URL(link);
}
