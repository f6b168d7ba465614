import { routeUrl } from '@uprez/client/route-url';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router';
import { AdminFrame } from '../features/admin/frame/admin-frame.tsx';
import { type AdminPath, pagePermissions } from '../features/admin/frame/admin-links.ts';
import { AccessDenied } from '../features/admin/frame/admin-page.tsx';
import { useHasPermission } from '../features/admin/frame/use-own-user.ts';
import { adminMessages } from '../features/admin/messages.ts';
import { useAuth } from '../features/session/auth-provider.tsx';
import { showToast } from '../lib/notifications/toast-store.ts';
import { redirectAfterSessionEnd } from '../lib/session/redirect-to-sign-in.ts';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { NotFoundPage } from '../ui/feedback/not-found-page.tsx';
import { Spinner } from '../ui/layout/logo-mark.tsx';

const lazyPage = (open: () => Promise<ComponentType>) => lazy(async () => ({ default: await open() }));

const pages = {
  [adminPages.dashboard]: lazyPage(
    async () => (await import('../features/admin/dashboard/dashboard-page.tsx')).DashboardPage,
  ),
  [adminPages.users]: lazyPage(async () => (await import('../features/admin/users/users-page.tsx')).UsersPage),
  [adminPages.newUser]: lazyPage(async () => (await import('../features/admin/users/new-user-page.tsx')).NewUserPage),
  [adminPages.user]: lazyPage(async () => (await import('../features/admin/users/user-page.tsx')).UserPage),
  [adminPages.profile]: lazyPage(async () => (await import('../features/admin/users/profile-page.tsx')).ProfilePage),
  [adminPages.posts]: lazyPage(async () => (await import('../features/admin/blog/blog-page.tsx')).PostsPage),
  [adminPages.post]: lazyPage(async () => (await import('../features/admin/blog/blog-post-page.tsx')).PostPage),
  [adminPages.media]: lazyPage(async () => (await import('../features/admin/media/media-page.tsx')).MediaPage),
  [adminPages.mediaUpload]: lazyPage(
    async () => (await import('../features/admin/media/media-upload-page.tsx')).MediaUploadPage,
  ),
  [adminPages.mediaFile]: lazyPage(
    async () => (await import('../features/admin/media/media-file-page.tsx')).MediaFilePage,
  ),
  [adminPages.analytics]: lazyPage(
    async () => (await import('../features/admin/analytics/analytics-page.tsx')).AnalyticsPage,
  ),
  [adminPages.reports]: lazyPage(
    async () => (await import('../features/admin/analytics/analytics-reports-page.tsx')).AnalyticsReportsPage,
  ),
  [adminPages.usage]: lazyPage(
    async () => (await import('../features/admin/analytics/analytics-usage-page.tsx')).AnalyticsUsagePage,
  ),
  [adminPages.payments]: lazyPage(
    async () => (await import('../features/admin/payments/subscriptions-page.tsx')).SubscriptionsPage,
  ),
  [adminPages.transactions]: lazyPage(
    async () => (await import('../features/admin/payments/transactions-page.tsx')).TransactionsPage,
  ),
  [adminPages.coupons]: lazyPage(async () => (await import('../features/admin/coupons/coupons-page.tsx')).CouponsPage),
  [adminPages.leads]: lazyPage(async () => (await import('../features/admin/leads/leads-page.tsx')).LeadsPage),
  [adminPages.prices]: lazyPage(async () => (await import('../features/admin/prices/prices-page.tsx')).PricesPage),
  [adminPages.inbox]: lazyPage(async () => (await import('../features/admin/inbox/inbox-page.tsx')).InboxPage),
  [adminPages.jobs]: lazyPage(async () => (await import('../features/admin/jobs/jobs-page.tsx')).JobsPage),
  [adminPages.job]: lazyPage(async () => (await import('../features/admin/jobs/job-page.tsx')).JobPage),
  [adminPages.tickets]: lazyPage(async () => (await import('../features/admin/inbox/tickets-page.tsx')).TicketsPage),
  [adminPages.ticket]: lazyPage(async () => (await import('../features/admin/inbox/ticket-page.tsx')).TicketPage),
  [adminPages.help]: lazyPage(async () => (await import('../features/admin/articles/help-page.tsx')).HelpPage),
  [adminPages.helpArticle]: lazyPage(async () => (await import('../features/admin/blog/blog-post-page.tsx')).PostPage),
  [adminPages.pages]: lazyPage(async () => (await import('../features/admin/articles/pages-page.tsx')).PagesPage),
  [adminPages.page]: lazyPage(async () => (await import('../features/admin/blog/blog-post-page.tsx')).PostPage),
  [adminPages.status]: lazyPage(async () => (await import('../features/admin/status/status-page.tsx')).IncidentsPage),
  [adminPages.probes]: lazyPage(
    async () => (await import('../features/admin/status/status-probes-page.tsx')).ProbesPage,
  ),
  [adminPages.campaigns]: lazyPage(
    async () => (await import('../features/admin/newsletter/newsletter-page.tsx')).CampaignsPage,
  ),
  [adminPages.campaign]: lazyPage(
    async () => (await import('../features/admin/newsletter/newsletter-campaign-page.tsx')).CampaignPage,
  ),
  [adminPages.subscribers]: lazyPage(
    async () => (await import('../features/admin/newsletter/newsletter-subscribers-page.tsx')).SubscribersPage,
  ),
  [adminPages.audit]: lazyPage(async () => (await import('../features/admin/audit/audit-page.tsx')).AuditPage),
  [adminPages.accessLog]: lazyPage(
    async () => (await import('../features/admin/access-log/access-log-page.tsx')).AccessLogPage,
  ),
  [adminPages.security]: lazyPage(
    async () => (await import('../features/admin/security/security-page.tsx')).SecuritySettingsPage,
  ),
  [adminPages.apiKeys]: lazyPage(
    async () => (await import('../features/admin/security/api-keys-page.tsx')).ApiKeysPage,
  ),
  [adminPages.permissions]: lazyPage(
    async () => (await import('../features/admin/security/permissions-page.tsx')).PermissionsPage,
  ),
  [adminPages.settings]: lazyPage(
    async () => (await import('../features/admin/settings/settings-page.tsx')).GeneralSettingsPage,
  ),
  [adminPages.settingsSeo]: lazyPage(
    async () => (await import('../features/admin/settings/settings-page.tsx')).SeoSettingsPage,
  ),
  [adminPages.settingsEmail]: lazyPage(
    async () => (await import('../features/admin/settings/settings-page.tsx')).EmailSettingsPage,
  ),
  [adminPages.settingsHistory]: lazyPage(
    async () => (await import('../features/admin/settings/settings-history-page.tsx')).SettingsHistoryPage,
  ),
} satisfies Record<AdminPath, ComponentType>;

const dashboardLink = { to: paths.admin, label: adminMessages.denied.dashboard };

/** Shows the admin pages. For users who aren't administrators, loads nothing from the API. */
export function AdminArea() {
  const { pathname, search, hash } = useLocation();
  // Removes a trailing slash, because paths are compared without it.
  const path = pathname.replace(/\/+$/, '');
  return path === pathname ? <Area pathname={path} /> : <Navigate to={{ pathname: path, search, hash }} replace />;
}

const Loading = () => (
  <div className="grid grow place-content-center py-24">
    <Spinner label={messages.session.loading} />
  </div>
);

type PermittedPageProps = { path: AdminPath; adminRole: Role | null; children: ReactNode };

function PermittedPage({ path, adminRole, children }: PermittedPageProps) {
  return useHasPermission(pagePermissions[path]) ? children : <AccessDenied adminRole={adminRole} />;
}

/** `ended`: whether the session ended while this page was open. */
function SignInRedirect({ ended }: { ended: boolean }) {
  useEffect(() => (ended ? redirectEndedSession() : redirectVisitor()), [ended]);
  return <Loading />;
}

function DashboardRedirect() {
  const navigate = useNavigate();
  useEffect(() => {
    showToast({ ...adminMessages.leaving.denied, destructive: true });
    void navigate(paths.dashboard, { replace: true });
  }, [navigate]);
  return <Loading />;
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

const text = adminMessages.leaving;
const delayMs = 500;

const makeReturnQuery = () => ({ next: window.location.pathname + window.location.search + window.location.hash });

function redirectAfterDelay(url: string) {
  const timer = setTimeout(() => window.location.assign(url), delayMs);
  return () => clearTimeout(timer);
}

/**
 * Shows a toast, and redirects a visitor to the sign-in page, which leads back to this page. Returns a function that
 * cancels the redirect.
 */
export function redirectVisitor(): () => void {
  showToast({ ...text.visitor, destructive: true });
  return redirectAfterDelay(`${paths.auth}?${new URLSearchParams(makeReturnQuery())}`);
}

/**
 * Redirects an administrator to the sign-in page after the session has ended. Returns a function that cancels the
 * redirect. The dashboard shows its own toast.
 */
export function redirectEndedSession(): () => void {
  if (window.location.pathname !== paths.admin) return redirectAfterSessionEnd();
  showToast({ ...text.ended, destructive: true });
  return redirectAfterDelay(routeUrl(apiRoutes.loginPage, { query: makeReturnQuery() }));
}
