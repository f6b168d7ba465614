import { productName } from '../../messages.ts';

/** UI strings for confirming an email address. In their own module, because the first load doesn't need them. */
export const verifyEmailMessages = {
  title: 'Confirm your email address',
  text: 'Click the button to confirm that this email address is yours.',
  submit: 'Confirm email address',
  pending: 'Confirming...',
  done: 'Email address confirmed',
  failed: "Couldn't confirm email address",
  noToken: 'This link is incomplete. Open the full link from our email, or request a new one.',
  resend: 'Send a new link',
  signIn: 'Sign in to get a new link',
  sent: 'Check your email',
  resendFailed: "Couldn't send link",
  goOn: `Go to ${productName}`,
  continue: 'Continue',
  thenSubscribe: (plan: string) => `Then you can subscribe to ${plan}.`,
  subscribe: (plan: string) => `Continue to ${plan}`,
} as const;
