import { randomUUID } from 'node:crypto';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { insertUser } from '@uprez/db/queries/accounts/users';
import type { Actor } from '@uprez/domain/actor';

/** Creates an account for tests of domain functions. Its email address is confirmed, but the account can't sign in. */
export async function makeUser(db: Db, tier: Tier = 'free'): Promise<Actor> {
  const id = randomUUID();
  await insertUser(db, {
    id,
    email: `${id}@example.test`,
    username: id,
    passwordHash: 'none',
    tier,
    emailVerified: true,
  });
  return { accountId: id, plan: currentPlans[tier] };
}
