import { useQuery } from '@tanstack/react-query';
import type { User } from '@uprez/contracts/schemas/user';
import { AttentionCard } from '../../features/admin/dashboard/attention-card.tsx';
import { dashboardMessages as text } from '../../features/admin/dashboard/messages.ts';
import { Stats } from '../../features/admin/dashboard/stat-cards.tsx';
import { UserManagement } from '../../features/admin/dashboard/user-management.tsx';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { userKey } from '../../lib/api/queries.ts';

/** The totals of the site, and its users. */
export function DashboardPage() {
  const { data: user } = useQuery<User | null>({ queryKey: userKey });
  const mayReadUsers = useMay('users.read');
  return (
    <AdminPage title={text.title} subtitle={text.subtitle}>
      <Stats />
      <AttentionCard />
      {user && mayReadUsers && <UserManagement user={user} />}
    </AdminPage>
  );
}
