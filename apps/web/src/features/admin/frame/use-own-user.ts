import { useQuery } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { userKey } from '../../../lib/api/queries.ts';

/** The signed-in administrator. */
export const useOwnUser = () => useQuery<User | null>({ queryKey: userKey }).data ?? undefined;
