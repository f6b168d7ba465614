import type { AdminUser } from '@uprez/contracts/schemas/admin';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { useMay } from '../frame/use-may.ts';
import { ViewAsDialog } from './view-as-dialog.tsx';
import { viewAsMessages as text } from './view-as-messages.ts';

type ViewAsButtonProps = {
  user: Pick<AdminUser, 'id' | 'email' | 'role'>;
  /** Shows the icon only, for rows of tables. */
  isIcon?: boolean;
};

/** Lets an administrator see the web app as a user. Hidden for administrators, and from roles that can't. */
export function ViewAsButton({ user, isIcon = false }: ViewAsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const mayView = useMay('users.view_as');
  if (!mayView || user.role !== null) return null;
  return (
    <>
      <Button
        look={isIcon ? 'ghost' : 'secondary'}
        size={isIcon ? 'icon' : 'normal'}
        {...(isIcon && { 'aria-label': text.openFor(user.email), title: text.open })}
        onClick={() => setOpen(true)}
      >
        <Eye aria-hidden="true" strokeWidth={1.75} className="size-4" />
        {!isIcon && text.open}
      </Button>
      {isOpen && <ViewAsDialog user={user} onClose={() => setOpen(false)} />}
    </>
  );
}
