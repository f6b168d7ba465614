import { randomUUID } from 'node:crypto';
import type { NodemailerError } from 'nodemailer';
import { deliver, type MailServer, withoutSecret } from './send-message.ts';

/** Whether a mail server accepted an email, and its response. */
export type ServerAnswer = { delivered: boolean; answer: string };

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
