import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { useMay } from '../frame/use-may.ts';
import { ViewAsDialog } from './view-as-dialog.tsx';
import { viewAsMessages as text } from './view-as-messages.ts';

/** Lets an administrator see the web app as a user. Hidden for administrators, and from roles that can't. */
export function ViewAsButton({ user }: { user: Pick<AdminUser, 'id' | 'email' | 'role'> }) {
  const [isOpen, setOpen] = useState(false);
  const mayView = useMay('users.view_as');
  if (!mayView || user.role !== null) return null;
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        <Eye aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {text.open}
      </Button>
      {isOpen && <ViewAsDialog user={user} onClose={() => setOpen(false)} />}
    </>
  );
}
