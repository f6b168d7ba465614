import { randomUUID } from 'node:crypto';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { Db } from '@uprez/db/database';
import { insertUser } from '@uprez/db/queries/accounts/users';
import type { Actor } from '@uprez/domain/actor';

/** Creates an account with a confirmed email address that cannot sign in, for tests of domain functions. */
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
