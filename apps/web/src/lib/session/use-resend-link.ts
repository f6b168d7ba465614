import { limits } from '@uprez/contracts/policy/limits';
import { toNextPath } from '@uprez/contracts/policy/next-path';
import { accountResponses } from '@uprez/contracts/texts/answers';
import { productName } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { api } from '../api/api.ts';
import { userKey } from '../api/queries.ts';
import { useResourceMutation } from '../api/use-resource-mutation.ts';
import { showToast } from '../notifications/toast-store.ts';

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

const text = verifyEmailMessages;

/**
 * Returns a mutation that sends the signed-in user a new link to confirm the email address. `next`: the page to open
 * afterward.
 */
export const useResendLink = (next?: string) =>
  useResourceMutation({
    call: async () => (await api.resendVerification({ query: { next: findLinkNextPath(next) } })).data.message,
    onSuccess: (description) =>
      showToast({ title: description === accountResponses.emailAlreadyConfirmed ? text.done : text.sent, description }),
    // The address may have been confirmed on another device.
    invalidates: [userKey],
    errorTitle: text.resendFailed,
  });

/**
 * Returns the path for an email link to open afterward. Returns undefined for the home page, and for paths that are too
 * long for a link.
 */
export function findLinkNextPath(next: string | null | undefined): string | undefined {
  const path = toNextPath(next);
  return path === paths.home || path.length > limits.nextLength ? undefined : path;
}
