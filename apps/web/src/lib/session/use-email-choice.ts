import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { messages } from '../../messages.ts';
import { api } from '../api/api.ts';
import { userKey } from '../api/queries.ts';
import { useResourceMutation } from '../api/use-resource-mutation.ts';

export type EmailPreference = 'quotaEmails' | 'batchEmails';

/**
 * Returns the user, whether the user receives an email, and a function that changes this setting. While a change is
 * being saved, `checked` is the new value.
 */
export function useEmailChoice(name: EmailPreference) {
  const queryClient = useQueryClient();
  const { data: user } = useQuery<User | null>({ queryKey: userKey });
  const save = useResourceMutation({
    call: async (chosen: boolean) => (await api.updateProfile({ body: { [name]: chosen } })).data,
    // Updates only this field, because the response to an earlier change to another field may arrive later.
    onSuccess: (saved) =>
      queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, [name]: saved[name] }),
    errorTitle: messages.emailChoices.notSaved,
  });
  return { user, checked: save.isPending ? save.variables : (user?.[name] ?? false), change: save.mutate };
}
