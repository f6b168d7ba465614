import { randomUUID } from 'node:crypto';
import type { EmailSettingsBody } from '@uprez/contracts/schemas/admin/settings';
import { emailSchema } from '@uprez/contracts/schemas/user';
import { createTransport, type NodemailerError } from 'nodemailer';
import { oneLine } from './mail-content.ts';
import type { RenderedMail } from './render-mail.ts';

/** What a mail server rejected. `server` means that the server couldn't be reached or rejects all emails. */
type ErrorSubject = 'recipient' | 'message' | 'server';

/** A failed attempt to send an email. `message` contains no email addresses. */
export class MailError extends Error {
  /** Whether a retry can't succeed. */
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
/** `id` is the same for all attempts, so the recipient's server can drop duplicates. */
export type Message = RenderedMail & {
  id: string;
  to: string;
  replyTo?: string;
  origin?: Origin;
  /** For bulk emails only: URL for one-click unsubscribing (RFC 8058). */
  unsubscribeUrl?: string;
};
/** Whether the message was sent because of an event, as an automatic reply, or by a person (RFC 3834). */
type Origin = 'auto-generated' | 'auto-replied' | 'no';

const connectMs = 10_000;
const totalMs = 20_000;
/** Maximum number of messages to send over a connection, because mail servers limit it. */
const messagesPerConnection = 50;
/** Port with implicit TLS (RFC 8314). Other ports use STARTTLS. */
const implicitTlsPort = 465;

/** Sends a message over a new connection, so changed settings take effect immediately. Throws MailError. */
export const sendMessage = (server: MailServer, message: Message): Promise<void> =>
  toMailError(server, message, () => deliver(server, message, totalMs));

/**
 * Opens a connection for many messages, because connecting takes longer than sending a message. `send` throws
 * MailError. Close the connection if the error is about the server.
 */
export function openMailConnection(server: MailServer) {
  // Never sends a message again automatically, because the server may have accepted it.
  const pool = { pool: true, maxConnections: 1, maxMessages: messagesPerConnection, maxRequeues: 0 } as const;
  const transport = createTransport({ ...optionsOf(server), ...pool });
  return {
    send: (message: Message): Promise<void> =>
      toMailError(server, message, () => transport.sendMail(toMail(server, message, totalMs))),
    close: () => transport.close(),
  };
}

async function toMailError(server: MailServer, { to }: Message, send: () => Promise<unknown>): Promise<void> {
  // Rejects addresses with a comma, which would turn one recipient into two.
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
    // Accepts self-signed certificates if TLS isn't required, because they are still better than no encryption.
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
  // Addresses are objects, because Nodemailer parses strings as address lists.
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
 * A rejected recipient or message is permanent if the server says so. A rejected sender, sign-in, or connection isn't,
 * because an administrator can correct the settings before the next attempt.
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

/** For recipients, codes X.7.X mean that the server rejected us and not the recipient (RFC 3463). */
function subjectOf({ command, response = '' }: NodemailerError, isAboutMail: boolean): ErrorSubject {
  if (!isAboutMail) return command === 'API' ? 'message' : 'server';
  return command === 'RCPT TO' && !/^\d{3}[ -][45]\.7\./.test(response) ? 'recipient' : 'message';
}

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

/** Shows only SMTP responses, because a different service may be listening on the port. */
function describeAnswer({ code = '', name, response = '', message }: NodemailerError): string {
  if (/^[245]\d\d[ -]/.test(response)) return response;
  if (/timeout|timed out/i.test(message) || name === 'AbortError' || name === 'TimeoutError')
    return errorMessages.ETIMEDOUT ?? '';
  if (/ECONNREFUSED/.test(message)) return errorMessages.ECONNREFUSED ?? '';
  return errorMessages[code] ?? 'The mail was not sent.';
}
