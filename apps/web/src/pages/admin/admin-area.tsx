import type { Role } from '@uprez/contracts/policy/permissions';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router';
import { AccessDenied } from '../../features/admin/frame/access-denied.tsx';
import { AdminFrame } from '../../features/admin/frame/admin-frame.tsx';
import { type AdminPath, pagePermissions } from '../../features/admin/frame/admin-links.ts';
import { redirectEndedSession, redirectVisitor } from '../../features/admin/frame/leave-admin.ts';
import { useMay } from '../../features/admin/frame/use-may.ts';
import { adminMessages } from '../../features/admin/messages.ts';
import { useAuth } from '../../features/session/auth-provider.tsx';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { messages } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { Spinner } from '../../ui/layout/logo-mark.tsx';
import { NotFoundPage } from '../not-found.tsx';

const load = (open: () => Promise<ComponentType>) => lazy(async () => ({ default: await open() }));

/** Each page is loaded on its first visit. */
const pages = {
  [adminPages.dashboard]: load(async () => (await import('./dashboard.tsx')).DashboardPage),
  [adminPages.users]: load(async () => (await import('./users.tsx')).UsersPage),
  [adminPages.newUser]: load(async () => (await import('./new-user.tsx')).NewUserPage),
  [adminPages.user]: load(async () => (await import('./user.tsx')).UserPage),
  [adminPages.profile]: load(async () => (await import('./profile.tsx')).ProfilePage),
  [adminPages.posts]: load(async () => (await import('./blog.tsx')).PostsPage),
  [adminPages.post]: load(async () => (await import('./blog-post.tsx')).PostPage),
  [adminPages.media]: load(async () => (await import('./media.tsx')).MediaPage),
  [adminPages.mediaUpload]: load(async () => (await import('./media-upload.tsx')).MediaUploadPage),
  [adminPages.mediaFile]: load(async () => (await import('./media-file.tsx')).MediaFilePage),
  [adminPages.analytics]: load(async () => (await import('./analytics.tsx')).AnalyticsPage),
  [adminPages.reports]: load(async () => (await import('./analytics-reports.tsx')).AnalyticsReportsPage),
  [adminPages.usage]: load(async () => (await import('./analytics-usage.tsx')).AnalyticsUsagePage),
  [adminPages.payments]: load(async () => (await import('./subscriptions.tsx')).SubscriptionsPage),
  [adminPages.transactions]: load(async () => (await import('./transactions.tsx')).TransactionsPage),
  [adminPages.coupons]: load(async () => (await import('./coupons.tsx')).CouponsPage),
  [adminPages.leads]: load(async () => (await import('./leads.tsx')).LeadsPage),
  [adminPages.prices]: load(async () => (await import('./prices.tsx')).PricesPage),
  [adminPages.inbox]: load(async () => (await import('./inbox.tsx')).InboxPage),
  [adminPages.jobs]: load(async () => (await import('./jobs.tsx')).JobsPage),
  [adminPages.job]: load(async () => (await import('./job.tsx')).JobPage),
  [adminPages.tickets]: load(async () => (await import('./tickets.tsx')).TicketsPage),
  [adminPages.ticket]: load(async () => (await import('./ticket.tsx')).TicketPage),
  [adminPages.help]: load(async () => (await import('./help.tsx')).HelpPage),
  [adminPages.helpArticle]: load(async () => (await import('./blog-post.tsx')).PostPage),
  [adminPages.pages]: load(async () => (await import('./pages.tsx')).PagesPage),
  [adminPages.page]: load(async () => (await import('./blog-post.tsx')).PostPage),
  [adminPages.status]: load(async () => (await import('./status.tsx')).IncidentsPage),
  [adminPages.probes]: load(async () => (await import('./status-probes.tsx')).ProbesPage),
  [adminPages.campaigns]: load(async () => (await import('./newsletter.tsx')).CampaignsPage),
  [adminPages.campaign]: load(async () => (await import('./newsletter-campaign.tsx')).CampaignPage),
  [adminPages.subscribers]: load(async () => (await import('./newsletter-subscribers.tsx')).SubscribersPage),
  [adminPages.audit]: load(async () => (await import('./audit.tsx')).AuditPage),
  [adminPages.accessLog]: load(async () => (await import('./access-log.tsx')).AccessLogPage),
  [adminPages.security]: load(async () => (await import('./security.tsx')).SecuritySettingsPage),
  [adminPages.apiKeys]: load(async () => (await import('./api-keys.tsx')).ApiKeysPage),
  [adminPages.permissions]: load(async () => (await import('./permissions.tsx')).PermissionsPage),
  [adminPages.settings]: load(async () => (await import('./settings.tsx')).GeneralSettingsPage),
  [adminPages.settingsSeo]: load(async () => (await import('./settings.tsx')).SeoSettingsPage),
  [adminPages.settingsEmail]: load(async () => (await import('./settings.tsx')).EmailSettingsPage),
  [adminPages.settingsHistory]: load(async () => (await import('./settings-history.tsx')).SettingsHistoryPage),
} satisfies Record<AdminPath, ComponentType>;

const Loading = () => (
  <div className="grid grow place-content-center py-24">
    <Spinner label={messages.session.loading} />
  </div>
);

type PermittedPageProps = { path: AdminPath; adminRole: Role | null; children: ReactNode };

function PermittedPage({ path, adminRole, children }: PermittedPageProps) {
  return useMay(pagePermissions[path]) ? children : <AccessDenied adminRole={adminRole} />;
}

/** `ended`: whether the session ended while this page was open. */
function SignInRedirect({ ended }: { ended: boolean }) {
  useEffect(() => (ended ? redirectEndedSession() : redirectVisitor()), [ended]);
  return <Loading />;
}

/** Sends a user without a role from the dashboard of administrators to their own. */
function DashboardRedirect() {
  const navigate = useNavigate();
  useEffect(() => {
    showToast({ ...adminMessages.leaving.denied, destructive: true });
    void navigate(paths.dashboard, { replace: true });
  }, [navigate]);
  return <Loading />;
}

const dashboardLink = { to: paths.admin, label: adminMessages.denied.dashboard };

/** All pages of administrators in their frame. Nothing is loaded from the API for anyone else. */
export function AdminArea() {
  const { pathname, search, hash } = useLocation();
  // Paths are compared without a slash at the end.
  const path = pathname.replace(/\/+$/, '');
  return path === pathname ? <Area pathname={path} /> : <Navigate to={{ pathname: path, search, hash }} replace />;
}

function Area({ pathname }: { pathname: string }) {
  const { user, logout } = useAuth();
  const [arrivedSignedIn] = useState(user !== null);
  if (!user) return logout.isPending || logout.isSuccess ? <Loading /> : <SignInRedirect ended={arrivedSignedIn} />;
  if (!user.isAdmin) return pathname === paths.admin ? <DashboardRedirect /> : <AccessDenied adminRole={null} />;
  return (
    <AdminFrame user={user}>
      <Suspense fallback={<Loading />}>
        <Routes>
          {Object.entries(pages).map(([path, Page]) => (
            <Route
              key={path}
              path={path.slice(paths.admin.length + 1)}
              element={
                <PermittedPage path={path as AdminPath} adminRole={user.role}>
                  <Page />
                </PermittedPage>
              }
            />
          ))}
          <Route path="*" element={<NotFoundPage home={dashboardLink} />} />
        </Routes>
      </Suspense>
    </AdminFrame>
  );
}
