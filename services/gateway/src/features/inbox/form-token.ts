import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SpamReason, ticketLimits } from '@uprez/contracts/policy/tickets';

/** Apart from the signatures of download links, which have the same secret. */
const purpose = 'contact-form';

const sign = (secret: string, openedAt: string) =>
  createHmac('sha256', secret).update(`${purpose}.${openedAt}`).digest('base64url');

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The signed time at which a form was opened. `now`: Unix time in milliseconds. */
export function makeFormToken(secret: string, now = Date.now()): string {
  const openedAt = String(now);
  return `${openedAt}.${sign(secret, openedAt)}`;
}

/** What the time of a form, signed with one of the secrets, says about its sender. */
export function judgeFormToken(secrets: readonly string[], token: string, now = Date.now()): SpamReason[] {
  const [openedAt = '', signature = ''] = token.split('.');
  if (!secrets.some((secret) => isSame(sign(secret, openedAt), signature))) return ['form_invalid'];
  const openS = (now - Number(openedAt)) / 1_000;
  const { least, most } = ticketLimits.formSeconds;
  if (openS < least) return ['too_fast'];
  return openS > most ? ['form_expired'] : [];
}
