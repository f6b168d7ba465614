import type { SignedIn } from '@uprez/testing/sign-up';
import type { TestGateway } from './start-test-gateway.ts';

/** A fresh administrator, signed in. */
export async function signUpAdmin({ ctx, signUp }: TestGateway): Promise<SignedIn> {
  const admin = await signUp();
  await ctx.db.updateTable('users').set({ isAdmin: true }).where('id', '=', admin.user.id).execute();
  return admin;
}
