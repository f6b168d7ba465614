import type { Tier } from '@uprez/contracts/policy/plans';
import type { Generated } from 'kysely';

/** An account. `virtualTime`: how much service it has had, divided by its weight (fair queueing). */
export type UsersTable = {
  id: string;
  email: string;
  username: string;
  passwordHash: string;
  firstName: string | null;
  lastName: string | null;
  isAdmin: Generated<boolean>;
  tier: Generated<Tier>;
  emailVerified: Generated<boolean>;
  virtualTime: Generated<number>;
  createdAt: Generated<Date>;
  /** What version of the terms was accepted, and when. */
  termsVersion: string | null;
  termsAcceptedAt: Date | null;
  suspendedAt: Date | null;
  suspendedReason: string | null;
  /** When an account that its owner wants gone is deleted, unless it is kept. */
  deletesAt: Date | null;
  /** Sealed. Set up from the first call on, in force from `twoFactorAt` on. */
  twoFactorSecret: string | null;
  twoFactorAt: Date | null;
  /** The 30-second step of the last code that was taken: none is taken twice. Before it is in force: when it was set up. */
  twoFactorStep: Generated<number>;
  /** When the first billing cycle of a paid tier began, if not with the account. Free periods are calendar months (UTC). */
  periodAnchor: Date | null;
  /** Until when an administrator's choice of tier holds, what comes back then, and why it was made. */
  tierUntil: Date | null;
  tierBefore: Tier | null;
  anchorBefore: Date | null;
  tierReason: string | null;
};
