import { useQueryClient } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../../../lib/api/user-key.ts';
import { sessionsKey } from '../account-keys.ts';

/** Updates the cached user after two-factor authentication was turned on or off, which ends all other sessions. */
export function useTwoFactorUpdate() {
  const queryClient = useQueryClient();
  return (twoFactorEnabled: boolean) => {
    queryClient.setQueryData<User | null>(userKey, (known) => known && { ...known, twoFactorEnabled });
    void queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
}
