import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookVerificationError } from './errors.ts';
import type { UprezEvent } from './generated/types.ts';

/** Headers of `fetch`, `node:http`, or a framework. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export type VerifyOptions = {
  /** The secret of the endpoint, or several during a rotation. */
  secret: string | readonly string[];
  /** Maximum difference between the time of the webhook and the current time, in seconds. Default: 5 minutes. */
  toleranceSeconds?: number;
  /** Current time, for tests. */
  now?: Date;
};

const prefix = 'whsec_';

/**
 * Verifies a webhook (Standard Webhooks) and returns its event. `body`: the unmodified request body. Throws
 * WebhookVerificationError.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[] | VerifyOptions,
): UprezEvent {
  const { secret, toleranceSeconds = 300, now = new Date() } = readVerifyOptions(secrets);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('The header "webhook-timestamp" is not a valid timestamp.');
  const bytes = Buffer.from(body as string);
  const expected = [secret].flat().map((one) => sign(one, `${id}.${timestamp}.`, bytes));
  const given = signatures.filter((text) => text.startsWith('v1,')).map((text) => Buffer.from(text.slice(3), 'base64'));
  if (!given.some((signature) => expected.some((one) => isEqual(one, signature))))
    throw invalid("The webhook signature doesn't match. Check the secret and that the body is unmodified.");
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_outside_tolerance',
      'The webhook timestamp is outside the tolerance.',
    );
  return JSON.parse(bytes.toString('utf8')) as UprezEvent;
}

const readVerifyOptions = (secrets: string | readonly string[] | VerifyOptions): VerifyOptions =>
  typeof secrets === 'object' && 'secret' in secrets ? secrets : { secret: secrets };
const invalid = (message: string) => new WebhookVerificationError('invalid_signature', message);
const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

function sign(secret: string, head: string, body: Buffer): Buffer {
  if (typeof secret !== 'string') throw invalid('The secret is missing.');
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');
  // Reject an empty key, because anyone could sign with it.
  if (key.length === 0) throw invalid('The secret is empty.');
  return createHmac('sha256', key).update(head).update(body).digest();
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== 'string' || value === '') throw invalid(`The header "${name}" is missing.`);
  return value;
}

function findHeader(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}
