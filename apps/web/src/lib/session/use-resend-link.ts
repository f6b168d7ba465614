import { answers } from '@uprez/contracts/texts/answers';
import { api } from '../api/api.ts';
import { userKey } from '../api/queries.ts';
import { useResourceMutation } from '../api/use-resource-mutation.ts';
import { showToast } from '../notifications/toast-store.ts';
import { keepNext } from './keep-next.ts';
import { verifyEmailMessages } from './verify-email-messages.ts';

const text = verifyEmailMessages;

/**
 * Returns a mutation that sends the signed-in user a new link to confirm the email address. `next`: the page to open
 * afterward.
 */
export const useResendLink = (next?: string) =>
  useResourceMutation({
    call: async () => (await api.resendVerification({ query: { next: keepNext(next) } })).data.message,
    onSuccess: (description) =>
      showToast({ title: description === answers.emailAlreadyConfirmed ? text.done : text.sent, description }),
    // The address may have been confirmed on another device.
    invalidates: [userKey],
    errorTitle: text.resendFailed,
  });
