import type { User } from '@uprez/contracts/schemas/user';
import { articlePages, incidentPage } from '@uprez/contracts/texts/pages';
import { type ComponentType, useEffect } from 'react';
import { createBrowserRouter, type LoaderFunction, type RouteObject } from 'react-router';
import { useAuth } from '../features/session/auth-provider.tsx';
import { redirectAfterSessionEnd } from '../lib/session/redirect-to-sign-in.ts';
import { messages } from '../messages.ts';
import { LandingPage } from '../pages/landing.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { paths } from '../site-map.ts';
import { Spinner } from '../ui/layout/logo-mark.tsx';
import { requireIsolatedDocument } from './isolated-document.ts';
import { SiteLayout } from './layouts/site-layout.tsx';
import { requirePaymentDocument } from './payment-document.ts';
import { RouteError } from './route-error.tsx';

function LoadingPage() {
  return (
    <div className="grid grow place-content-center py-24">
      <Spinner label={messages.session.loading} />
    </div>
  );
}

function SignInRedirect() {
  useEffect(redirectAfterSessionEnd, []);
  return <LoadingPage />;
}

/** Renders a page for signed-in users only. A sign-out needs no redirect, because it reloads the site at `/`. */
function RequireUser({ page: Page }: { page: ComponentType<{ user: User }> }) {
  const { user, logout } = useAuth();
  if (user) return <Page user={user} />;
  return logout.isPending || logout.isSuccess ? <LoadingPage /> : <SignInRedirect />;
}

/** A route that loads its page on first visit. */
const page = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});

/** The same for pages that are shown when their data is loaded, too. */
const dataPage = (
  path: string,
  load: () => Promise<{ Component: ComponentType; loader: LoaderFunction }>,
): RouteObject => ({ path, lazy: load });

/** The same for pages that require a signed-in user. */
const userPage = (path: string, load: () => Promise<ComponentType<{ user: User }>>): RouteObject => ({
  path,
  lazy: async () => ({ element: <RequireUser page={await load()} /> }),
});

/** The same for pages that take payments. Their documents differ, so they are always loaded from the server. */
const paymentPage = (path: string, load: () => Promise<ComponentType<{ user: User }>>): RouteObject => ({
  ...userPage(path, load),
  loader: requirePaymentDocument,
});

const developmentPages: RouteObject[] = import.meta.env.DEV
  ? [page('/dev/ui', async () => (await import('../pages/dev-ui.tsx')).DevUiPage)]
  : [];

export const router = createBrowserRouter([
  {
    element: <SiteLayout />,
    errorElement: <RouteError />,
    // The first page is part of the entry bundle, so there is no loading state.
    hydrateFallbackElement: <></>,
    children: [
      { path: paths.home, element: <LandingPage /> },
      page(paths.pricing, async () => (await import('../pages/pricing.tsx')).PricingPage),
      page(paths.documentation, async () => (await import('../pages/documentation.tsx')).DocumentationPage),
      page(paths.reference, async () => (await import('../pages/reference.tsx')).ReferencePage),
      page(paths.auth, async () => (await import('../pages/auth.tsx')).AuthPage),
      dataPage(paths.blog, async () => {
        const { BlogPage: Component, loadPosts: loader } = await import('../pages/blog.tsx');
        return { Component, loader };
      }),
      dataPage(articlePages.category, async () => {
        const { CategoryPage: Component, loadPosts: loader } = await import('../pages/blog.tsx');
        return { Component, loader };
      }),
      dataPage(articlePages.post, async () => {
        const { BlogPostPage: Component, loadPost: loader } = await import('../pages/blog-post.tsx');
        return { Component, loader };
      }),
      page(articlePages.preview, async () => (await import('../pages/blog-preview.tsx')).BlogPreviewPage),
      page(paths.contact, async () => (await import('../pages/contact.tsx')).ContactPage),
      dataPage(paths.help, async () => {
        const { HelpCenterPage: Component, loadHelpCenter: loader } = await import('../pages/help-center.tsx');
        return { Component, loader };
      }),
      dataPage(articlePages.help, async () => {
        const { HelpArticlePage: Component, loadHelpArticle: loader } = await import('../pages/help-article.tsx');
        return { Component, loader };
      }),
      dataPage(articlePages.position, async () => {
        const { PositionPage: Component, loadPosition: loader } = await import('../pages/position.tsx');
        return { Component, loader };
      }),
      ...[paths.about, paths.careers, paths.terms, paths.privacy].map((path) =>
        dataPage(path, async () => {
          const { SitePageView: Component, loadSitePage: loader } = await import('../pages/site-page.tsx');
          return { Component, loader };
        }),
      ),
      ...[articlePages.terms, articlePages.privacy].map((path) =>
        dataPage(path, async () => {
          const { LegalVersionPage: Component, loadLegalVersion: loader } = await import('../pages/legal-version.tsx');
          return { Component, loader };
        }),
      ),
      dataPage(paths.status, async () => {
        const { StatusPage: Component, loadStatus: loader } = await import('../pages/status.tsx');
        return { Component, loader };
      }),
      dataPage(incidentPage, async () => {
        const { StatusIncidentPage: Component, loadIncident: loader } = await import('../pages/status-incident.tsx');
        return { Component, loader };
      }),
      {
        ...page(paths.local, async () => (await import('../pages/on-this-device.tsx')).OnThisDevicePage),
        loader: requireIsolatedDocument,
      },
      page(paths.shared, async () => (await import('../pages/shared.tsx')).SharedPage),
      page(paths.verifyEmail, async () => (await import('../pages/verify-email.tsx')).VerifyEmailPage),
      page(paths.resetPassword, async () => (await import('../pages/reset-password.tsx')).ResetPasswordPage),
      page(paths.invitation, async () => (await import('../pages/invitation.tsx')).InvitationPage),
      page(
        paths.confirmSubscription,
        async () => (await import('../pages/newsletter-confirm.tsx')).ConfirmSubscriptionPage,
      ),
      page(paths.preferences, async () => (await import('../pages/newsletter-preferences.tsx')).PreferencesPage),
      page(paths.unsubscribe, async () => (await import('../pages/newsletter-unsubscribe.tsx')).UnsubscribePage),
      userPage(paths.dashboard, async () => (await import('../pages/dashboard.tsx')).DashboardPage),
      paymentPage(paths.subscribe, async () => (await import('../pages/subscribe.tsx')).SubscribePage),
      paymentPage(paths.billing, async () => (await import('../pages/billing.tsx')).BillingPage),
      userPage(paths.account, async () => (await import('../pages/account.tsx')).AccountPage),
      page(`${paths.admin}/*`, async () => (await import('../pages/admin/admin-area.tsx')).AdminArea),
      ...developmentPages,
      { path: '*', element: <NotFoundPage /> },
    ],
  },
]);
