import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SpamReason, ticketLimits } from '@uprez/contracts/policy/tickets';

/** Apart from the signatures of download links, which have the same secret. */
const purpose = 'contact-form';

const sign = (secret: string, openedAt: string) =>
  createHmac('sha256', secret).update(`${purpose}.${openedAt}`).digest('base64url');

/** The signed time at which a form was opened. `now`: Unix time in milliseconds. */
export function makeFormToken(secret: string, now = Date.now()): string {
  const openedAt = String(now);
  return `${openedAt}.${sign(secret, openedAt)}`;
}

/** What the signed time of a form says about its sender. */
export function judgeFormToken(secret: string, token: string, now = Date.now()): SpamReason[] {
  const [openedAt = '', signature = ''] = token.split('.');
  const [expected, given] = [Buffer.from(sign(secret, openedAt)), Buffer.from(signature)];
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return ['form_invalid'];
  const openS = (now - Number(openedAt)) / 1_000;
  const { least, most } = ticketLimits.formSeconds;
  if (openS < least) return ['too_fast'];
  return openS > most ? ['form_expired'] : [];
}
