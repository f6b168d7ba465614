import { randomUUID } from 'node:crypto';

/** A mail as the catcher keeps it. */
export interface CaughtMail {
  id: string;
  /** As the mail says, with the sender's name. */
  from: string;
  /** Whom it was delivered to, as the envelope says. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** ISO 8601: when it came. */
  date: string;
}

export interface Mailbox {
  add(mail: Omit<CaughtMail, 'id'>): void;
  /** Newest first; with `to` those to that address alone, whatever its case. */
  list(to?: string): CaughtMail[];
  find(id: string): CaughtMail | undefined;
}

const KEPT_MAILS = 500;

/** The newest 500 mails, in memory. */
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
