import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useOwnUser } from '../../features/admin/frame/use-own-user.ts';
import { InvitationList } from '../../features/admin/users/invitation-list.tsx';
import { invitationMessages as text } from '../../features/admin/users/invitation-messages.ts';
import { InviteForm } from '../../features/admin/users/invite-form.tsx';

/** Invites people, and lists those who haven't accepted. */
export function NewUserPage() {
  const own = useOwnUser();
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      {own && (
        <>
          <InviteForm own={own} />
          <InvitationList own={own} />
        </>
      )}
    </AdminPage>
  );
}
