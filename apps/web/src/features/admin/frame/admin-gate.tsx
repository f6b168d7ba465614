import type { Permission } from '@uprez/contracts/policy/permissions';
import type { User } from '@uprez/contracts/schemas/user';
import type { ComponentType } from 'react';
import { useStepUp } from '../../../lib/api/step-up.ts';
import { AccessDenied } from './access-denied.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

type AdminGateProps = { user: User; permission: Permission; page: ComponentType<{ user: User }> };

/** Renders a page for roles with a permission, and the dialog when one of its calls needs the password or a code. */
export function AdminGate({ user, permission, page: Page }: AdminGateProps) {
  const { finish } = useStepUp();
  if (!user.permissions.includes(permission)) return <AccessDenied />;
  return (
    <>
      <Page user={user} />
      {finish && <StepUpDialog user={user} finish={finish} />}
    </>
  );
}
