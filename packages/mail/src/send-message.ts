import type { EmailSettingsBody } from '@uprez/contracts/schemas/admin/settings';
import { emailSchema } from '@uprez/contracts/schemas/user';
import { createTransport, type NodemailerError } from 'nodemailer';
import type { RenderedMail } from './render-mail.ts';
import { oneLine } from './words.ts';

/** What the server rejected. `server`: it couldn't be reached, or rejects everything. */
type ErrorSubject = 'recipient' | 'message' | 'server';

/** An email that the server rejected. `message` contains no email address. */
export class MailError extends Error {
  /** Whether retrying is pointless. */
  readonly isPermanent: boolean;
  readonly about: ErrorSubject;

  constructor(message: string, isPermanent: boolean, about: ErrorSubject = 'message') {
    super(message);
    this.name = 'MailError';
    this.isPermanent = isPermanent;
    this.about = about;
  }
}

export type MailServer = Pick<
  EmailSettingsBody,
  'smtpHost' | 'smtpPort' | 'smtpUser' | 'smtpPassword' | 'smtpSecure' | 'fromEmail' | 'fromName'
>;
/** `id` is the same for all attempts, which lets recipients drop duplicates. */
export type Message = RenderedMail & {
  id: string;
  to: string;
  replyTo?: string;
  origin?: Origin;
  /** Of bulk emails: the URL that unsubscribes with one click (RFC 8058). */
  unsubscribeUrl?: string;
};
/** Who wrote a message: an event of the site, an automatic reply, or a person (RFC 3834). */
type Origin = 'auto-generated' | 'auto-replied' | 'no';

const connectMs = 10_000;
const totalMs = 20_000;
/** Mail servers limit the messages of a connection. */
const messagesPerConnection = 50;
/** Port with implicit TLS (RFC 8314). Other ports use STARTTLS. */
const implicitTlsPort = 465;

/** Sends a message over its own connection, and changed settings apply to the next one. Throws MailError. */
export const sendMessage = (server: MailServer, message: Message): Promise<void> =>
  toMailError(server, message, () => deliver(server, message, totalMs));

/**
 * Opens one connection for many messages, because most of the time of a message is spent on opening one. `send` throws
 * MailError. Close it after an error about the server.
 */
export function openMailConnection(server: MailServer) {
  // A message is never sent again by itself: whether it was accepted isn't known.
  const pool = { pool: true, maxConnections: 1, maxMessages: messagesPerConnection, maxRequeues: 0 } as const;
  const transport = createTransport({ ...optionsOf(server), ...pool });
  return {
    send: (message: Message): Promise<void> =>
      toMailError(server, message, () => transport.sendMail(toMail(server, message, totalMs))),
    close: () => transport.close(),
  };
}

async function toMailError(server: MailServer, { to }: Message, send: () => Promise<unknown>): Promise<void> {
  // A comma would make it two recipients.
  if (!emailSchema.safeParse(to).success) throw new MailError('invalid recipient', true);
  try {
    await send();
  } catch (error) {
    throw error instanceof MailError ? error : describe(error as NodemailerError, server);
  }
}

/** Sends a message, and returns the answer of the server. Throws NodemailerError, also after `timeoutMs`. */
export async function deliver(server: MailServer, message: Message, timeoutMs: number): Promise<string> {
  const transport = createTransport(optionsOf(server));
  try {
    const sent = await transport.sendMail(toMail(server, message, timeoutMs));
    return sent.response;
  } finally {
    transport.close();
  }
}

/** Throws MailError if the password can't be decrypted: signing in without one would fail for a reason nobody finds. */
function optionsOf(server: MailServer) {
  if (server.smtpPassword === null)
    throw new MailError('The stored SMTP password was encrypted under another VAULT_SECRET.', false, 'server');
  return {
    host: server.smtpHost,
    port: server.smtpPort,
    secure: server.smtpPort === implicitTlsPort,
    requireTLS: server.smtpSecure,
    // If TLS isn't required, a self-signed certificate is still better than none.
    tls: { rejectUnauthorized: server.smtpSecure },
    ...(server.smtpUser && server.smtpPassword && { auth: { user: server.smtpUser, pass: server.smtpPassword } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: totalMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
}

const toMail = (server: MailServer, message: Message, timeoutMs: number) => ({
  // Objects aren't parsed as lists of addresses.
  from: { name: oneLine(server.fromName), address: server.fromEmail },
  to: { name: '', address: message.to },
  envelope: { from: server.fromEmail, to: [message.to] },
  subject: message.subject,
  html: message.html,
  text: message.text,
  messageId: `<${message.id}@${server.fromEmail.split('@').at(-1)}>`,
  ...(message.replyTo && { replyTo: { name: '', address: message.replyTo } }),
  headers: headersOf(message),
  signal: AbortSignal.timeout(timeoutMs),
});

/** Recipients' mailboxes don't answer automatic messages. */
const headersOf = ({ origin = 'auto-generated', unsubscribeUrl }: Message): Record<string, string> => ({
  ...(origin !== 'no' && { 'Auto-Submitted': origin, 'X-Auto-Response-Suppress': 'All' }),
  ...(unsubscribeUrl !== undefined && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});

/** Hides the password in what a mail server answered, also as it is sent to sign in (AUTH PLAIN and LOGIN). */
export function withoutSecret(text: string, { smtpUser, smtpPassword }: MailServer): string {
  if (!smtpPassword) return text;
  const encoded = [`\0${smtpUser}\0${smtpPassword}`, smtpPassword].map((sent) => Buffer.from(sent).toString('base64'));
  return [...encoded, smtpPassword].reduce((shown, secret) => shown.replaceAll(secret, () => '[password]'), text);
}

/**
 * A rejected recipient or message is permanent. A rejected sender, login, or connection is a matter of settings, which an
 * administrator can fix before the next attempt.
 */
function describe(error: NodemailerError, server: MailServer): MailError {
  const isAboutMail = error.command === 'RCPT TO' || (error.command === 'DATA' && error.code === 'EMESSAGE');
  const words = [error.code, error.command, error.response ?? error.message].filter(Boolean).join(': ');
  const isPermanent =
    (isAboutMail && error.permanent === true) || (error.command === 'API' && error.code === 'EENVELOPE');
  return new MailError(
    withoutSecret(words, server)
      .replaceAll(/\S+@\S+/g, '[address]')
      .slice(0, 300),
    isPermanent,
    subjectOf(error, isAboutMail),
  );
}

/** Servers use the codes X.7.X where they reject us, and not the recipient (RFC 3463). */
function subjectOf({ command, response = '' }: NodemailerError, isAboutMail: boolean): ErrorSubject {
  if (!isAboutMail) return command === 'API' ? 'message' : 'server';
  return command === 'RCPT TO' && !/^\d{3}[ -][45]\.7\./.test(response) ? 'recipient' : 'message';
}
