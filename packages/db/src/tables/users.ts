import type { Tier } from '@uprez/contracts/policy/plans';
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
  /** What version of the terms was accepted, and when. */
  terms_version: string | null;
  terms_accepted_at: Date | null;
  suspended_at: Date | null;
  suspended_reason: string | null;
  /** When an account that its owner wants gone is deleted, unless it is kept. */
  deletes_at: Date | null;
  /** Sealed. Set up from the first call on, in force from `two_factor_at` on. */
  two_factor_secret: string | null;
  two_factor_at: Date | null;
  /** The 30-second step of the last code that was taken: none is taken twice. Before it is in force: when it was set up. */
  two_factor_step: Generated<number>;
  /** When the first billing cycle of a paid tier began, if not with the account. Free periods are calendar months (UTC). */
  period_anchor: Date | null;
  /** Until when an administrator's choice of tier holds, what comes back then, and why it was made. */
  tier_until: Date | null;
  tier_before: Tier | null;
  anchor_before: Date | null;
  tier_reason: string | null;
};
