import { limits } from '../policy/limits.ts';
import { formatWait, pluralize } from './format.ts';

/** Messages of account endpoints. They don't reveal whether an account exists. */
export const accountResponses = {
  resetAsked: `If an account with this email exists, we've sent a link to reset its password. The link expires in ${limits.resetLinkMinutes} minutes.`,
  passwordReset: 'Your password has been changed. Sign in with your new password.',
  passwordChanged: 'Your password has been changed. All other devices were signed out.',
  emailConfirmed: 'Your email address is confirmed.',
  emailAlreadyConfirmed: 'Your email address is already confirmed.',
  verificationSent: (email: string) =>
    `We sent a link to ${email}. It expires in ${pluralize(limits.confirmLinkHours, 'hour')}.`,
  linkTooSoon: (waitS: number) => `You can request another link ${formatWait(waitS)}.`,
  verificationTooSoon: (email: string, waitS: number) =>
    `We already sent a link to ${email}. You can request another one ${formatWait(waitS)}.`,
  emailChangeAsked: `Open the link we sent to your new email within ${limits.confirmLinkHours} hours. Keep using your current email until you confirm the new one.`,
} as const;
