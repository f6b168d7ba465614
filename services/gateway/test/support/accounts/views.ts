import type { Role } from '@uprez/contracts/policy/admin/permissions';
import type { SignedIn } from '@uprez/testing/sign-up';
import type { TestGateway } from '../start-test-gateway.ts';
import { signUpAdmin } from './admin-calls.ts';

/** Creates an administrator who views the account of a user. */
export async function openView(gateway: TestGateway, user: SignedIn, role: Role = 'support'): Promise<SignedIn> {
  const admin = await signUpAdmin(gateway, role);
  await startView(admin, user);
  return admin;
}

export const startView = (by: SignedIn, { user }: Pick<SignedIn, 'user'>) =>
  by.client.adminStartView({ params: { id: user.id }, body: { reason: 'a ticket' } });
