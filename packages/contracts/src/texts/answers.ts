import { limits } from '../policy/limits.ts';

/** What calls answer whose work shows elsewhere: in a mailbox, or nowhere. Neutral where a stranger may ask. */
export const answers = {
  resetAsked: `If there is an account with this address, a link to set a new password is on its way. It works for ${limits.resetLinkMinutes} minutes.`,
  passwordReset: 'Your password has been changed. Please sign in with the new one.',
  passwordChanged: 'Your password has been changed. All other devices have been signed out.',
  emailConfirmed: 'Your e-mail address is confirmed.',
  emailAlreadyConfirmed: 'Your e-mail address is confirmed already.',
  verificationSent: `If it is not confirmed yet, a link is on its way. It works for ${limits.confirmLinkHours} hours.`,
  emailChangeAsked: `Follow the link that we send to the new address within ${limits.confirmLinkHours} hours. Until then everything stays as it is.`,
} as const;
