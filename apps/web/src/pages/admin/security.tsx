import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { Link } from 'react-router';
import { AdminPage } from '../../features/admin/frame/admin-page.tsx';
import { RecommendationsCard } from '../../features/admin/security/recommendations-card.tsx';
import { SecurityForm } from '../../features/admin/security/security-form.tsx';
import { SecurityTabs } from '../../features/admin/security/security-tabs.tsx';
import type { StoredSecurity } from '../../features/admin/security/security-values.ts';
import { securitySettingsMessages as text } from '../../features/admin/security/settings-messages.ts';
import { historyPage } from '../../features/admin/settings/settings-page.tsx';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';

/** The security settings. They are read when the page opens, and not again while they are edited. */
export function SecuritySettingsPage() {
  const query = useQuery<StoredSecurity>({ queryKey: [adminRoutes.getSecuritySettings.path], gcTime: 0 });
  const historyLink = (
    <Link to={historyPage('security')} className={buttonStyle({ look: 'secondary' })}>
      {text.history}
    </Link>
  );
  return (
    <AdminPage title={text.title} subtitle={text.subtitle} actions={historyLink}>
      <SecurityTabs />
      <RecommendationsCard />
      <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />}>
        {(data) => <SecurityForm data={data} />}
      </QueryView>
    </AdminPage>
  );
}
