import { timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';

const purpose = 'newsletter-link';
const idBytes = 16;
const signatureBytes = 16;

const shorten = (signature: Buffer) => signature.subarray(0, signatureBytes);

/**
 * Creates the token for the links of a subscriber: the signed ID. It doesn't expire, because emails are kept for years.
 */
export const makeSubscriberToken = (ctx: Needs<'vault'>, id: string): string =>
  Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), shorten(ctx.vault.sign(id, purpose))]).toString(
    'base64url',
  );

/** Returns the subscriber ID in a token, or undefined if its signature is invalid. */
export function readSubscriberToken(ctx: Needs<'vault'>, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== idBytes + signatureBytes) return undefined;
  const hex = bytes.subarray(0, idBytes).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  if (!isUuid(id)) return undefined;
  const given = bytes.subarray(idBytes);
  return ctx.vault.signatures(id, purpose).some((one) => timingSafeEqual(shorten(one), given)) ? id : undefined;
}
