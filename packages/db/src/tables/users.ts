import type { Tier } from '@uprez/contracts/plans';
import type { Generated } from 'kysely';

/** An account. `virtual_time`: how much service it has had, divided by its weight (fair queueing). */
export type UsersTable = {
  id: string;
  email: string;
  username: string;
  password_hash: string;
  first_name: string | null;
  last_name: string | null;
  is_admin: Generated<boolean>;
  tier: Generated<Tier>;
  email_verified: Generated<boolean>;
  virtual_time: Generated<number>;
  created_at: Generated<Date>;
};
