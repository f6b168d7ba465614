import { randomUUID } from 'node:crypto';
import type { EmailSettingsBody } from '@uprez/contracts/schemas/admin/settings';
import { emailSchema } from '@uprez/contracts/schemas/user';
import { createTransport, type NodemailerError } from 'nodemailer';
import { oneLine } from './mail-content.ts';
import type { RenderedMail } from './render-mail.ts';

/** What an SMTP server rejected. `server`: the server couldn't be reached, or rejects all emails. */
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
/** `id`: the same for all attempts, which lets recipients drop duplicates. */
export type Message = RenderedMail & {
  id: string;
  to: string;
  replyTo?: string;
  origin?: Origin;
  /** For bulk emails: the URL that unsubscribes with one click (RFC 8058). */
  unsubscribeUrl?: string;
};
/** Origin of a message: a site event, an automatic reply, or a person (RFC 3834). */
type Origin = 'auto-generated' | 'auto-replied' | 'no';

const connectMs = 10_000;
const totalMs = 20_000;
/** Maximum number of messages per connection, which mail servers limit. */
const messagesPerConnection = 50;
/** Port with implicit TLS (RFC 8314). Other ports use STARTTLS. */
const implicitTlsPort = 465;

/** Sends a message over its own connection, so changed settings apply immediately. Throws MailError. */
export const sendMessage = (server: MailServer, message: Message): Promise<void> =>
  toMailError(server, message, () => deliver(server, message, totalMs));

/**
 * Opens one connection for many messages, because opening it takes most of the time of sending a message. `send` throws
 * MailError. Close the connection after an error about the server.
 */
export function openMailConnection(server: MailServer) {
  // Messages aren't resent automatically, because it's unknown whether the server accepted them.
  const pool = { pool: true, maxConnections: 1, maxMessages: messagesPerConnection, maxRequeues: 0 } as const;
  const transport = createTransport({ ...optionsOf(server), ...pool });
  return {
    send: (message: Message): Promise<void> =>
      toMailError(server, message, () => transport.sendMail(toMail(server, message, totalMs))),
    close: () => transport.close(),
  };
}

async function toMailError(server: MailServer, { to }: Message, send: () => Promise<unknown>): Promise<void> {
  // A comma would turn the email address into two recipients.
  if (!emailSchema.safeParse(to).success) throw new MailError('invalid recipient', true);
  try {
    await send();
  } catch (error) {
    throw error instanceof MailError ? error : describe(error as NodemailerError, server);
  }
}

/** Sends a message and returns the server's response. Throws NodemailerError, including after `timeoutMs`. */
export async function deliver(server: MailServer, message: Message, timeoutMs: number): Promise<string> {
  const transport = createTransport(optionsOf(server));
  try {
    const sent = await transport.sendMail(toMail(server, message, timeoutMs));
    return sent.response;
  } finally {
    transport.close();
  }
}

/**
 * Returns the connection options. Throws MailError if the password can't be decrypted, because signing in without it
 * would fail with an error that hides the cause.
 */
function optionsOf(server: MailServer) {
  if (server.smtpPassword === null)
    throw new MailError('The stored SMTP password was encrypted under another VAULT_SECRET.', false, 'server');
  return {
    host: server.smtpHost,
    port: server.smtpPort,
    secure: server.smtpPort === implicitTlsPort,
    requireTLS: server.smtpSecure,
    // If TLS isn't required, a self-signed certificate is still better than no encryption.
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
  // Nodemailer parses strings as address lists, but not objects.
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

/** Returns headers that suppress automatic replies and allow unsubscribing with one click. */
const headersOf = ({ origin = 'auto-generated', unsubscribeUrl }: Message): Record<string, string> => ({
  ...(origin !== 'no' && { 'Auto-Submitted': origin, 'X-Auto-Response-Suppress': 'All' }),
  ...(unsubscribeUrl !== undefined && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});

/** Hides the password in a mail server's response, including the forms that AUTH PLAIN and AUTH LOGIN send. */
function withoutSecret(text: string, { smtpUser, smtpPassword }: MailServer): string {
  if (!smtpPassword) return text;
  const encoded = [`\0${smtpUser}\0${smtpPassword}`, smtpPassword].map((sent) => Buffer.from(sent).toString('base64'));
  return [...encoded, smtpPassword].reduce((shown, secret) => shown.replaceAll(secret, () => '[password]'), text);
}

/**
 * Converts an error of the mail server. A rejected recipient or message is permanent. A rejected sender, sign-in, or
 * connection depends on settings, which an administrator can fix before the next attempt.
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

/**
 * Returns the subject of an error. Servers use the codes X.7.X when they reject us instead of the recipient (RFC 3463).
 */
function subjectOf({ command, response = '' }: NodemailerError, isAboutMail: boolean): ErrorSubject {
  if (!isAboutMail) return command === 'API' ? 'message' : 'server';
  return command === 'RCPT TO' && !/^\d{3}[ -][45]\.7\./.test(response) ? 'recipient' : 'message';
}

/** Whether a mail server accepted an email, and its response. */
type ServerAnswer = { delivered: boolean; answer: string };

const timeoutMs = 10_000;
const longestAnswer = 500;
const sentence = 'This is a test mail. Your email settings work.';

/** Sends a test email and returns the mail server's response. The response never contains the password. */
export async function tryMailServer(server: MailServer, to: string): Promise<ServerAnswer> {
  const mail = { subject: 'Test mail', text: sentence, html: `<p>${sentence}</p>` };
  try {
    const answer = await deliver(server, { ...mail, id: randomUUID(), to }, timeoutMs);
    return { delivered: true, answer: withoutSecret(answer, server).slice(0, longestAnswer) };
  } catch (error) {
    const answer = describeAnswer(error as NodemailerError);
    return { delivered: false, answer: withoutSecret(answer, server).slice(0, longestAnswer) };
  }
}

/** Messages for errors without a response from a mail server, by error code of Nodemailer or Node.js. */
const errorMessages: Record<string, string> = {
  EDNS: 'No server has this name.',
  ECONNECTION: 'No connection to the server.',
  ESOCKET: 'No connection to the server.',
  ECONNREFUSED: 'The server refused the connection.',
  ETIMEDOUT: "The server didn't answer in time.",
  ABORT_ERR: "The server didn't answer in time.",
  ETLS: 'No secure connection. Check the port, or turn off TLS.',
  EAUTH: 'The server rejected the user or the password.',
  EPROTOCOL: "The server doesn't answer like a mail server.",
};

/**
 * Describes the outcome of a failed test email. Another service may listen on the port, so only SMTP responses are
 * shown.
 */
function describeAnswer({ code = '', name, response = '', message }: NodemailerError): string {
  if (/^[245]\d\d[ -]/.test(response)) return response;
  if (/timeout|timed out/i.test(message) || name === 'AbortError' || name === 'TimeoutError')
    return errorMessages.ETIMEDOUT ?? '';
  if (/ECONNREFUSED/.test(message)) return errorMessages.ECONNREFUSED ?? '';
  return errorMessages[code] ?? 'The mail was not sent.';
}
