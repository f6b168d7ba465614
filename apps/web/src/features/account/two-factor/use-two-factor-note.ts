import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../../../lib/api/user-key.ts';
import { sessionsKey } from '../account-keys.ts';

/** Notes that two-factor sign-in was turned on or off, which signs out all devices but this. */
export function useTwoFactorNote() {
  const queryClient = useQueryClient();
  return (twoFactorEnabled: boolean) => {
    queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, twoFactorEnabled });
    void queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
}
