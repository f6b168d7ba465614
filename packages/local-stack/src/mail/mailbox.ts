import { randomUUID } from 'node:crypto';

export interface CaughtMail {
  id: string;
  /** The From header, with the name of the sender. */
  from: string;
  /** The recipients of the SMTP envelope. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** Time of arrival, in ISO 8601. */
  date: string;
}

export interface Mailbox {
  add(mail: Omit<CaughtMail, 'id'>): void;
  /** Newest first. `to` limits the list to one recipient, ignoring case. */
  list(to?: string): CaughtMail[];
  find(id: string): CaughtMail | undefined;
}

const KEPT_MAILS = 500;

/** Keeps the newest 500 emails in memory. */
export function makeMailbox(): Mailbox {
  const mails: CaughtMail[] = [];
  return {
    add: (mail) => {
      mails.unshift({ id: randomUUID(), ...mail });
      mails.length = Math.min(mails.length, KEPT_MAILS);
    },
    list: (to) => mails.filter((mail) => !to || mail.to.some((address) => isSame(address, to))),
    find: (id) => mails.find((mail) => mail.id === id),
  };
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
