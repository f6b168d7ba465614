import type { User } from '@uprez/contracts/schemas/user';
import { articlePages, incidentPage, sitePaths } from '@uprez/contracts/texts/site/pages';
import { type ComponentType, useEffect, useRef } from 'react';
import {
  createBrowserRouter,
  isRouteErrorResponse,
  type LoaderFunction,
  type RouteObject,
  redirectDocument,
  useRouteError,
} from 'react-router';
import { LandingPage } from '../features/landing/landing-page.tsx';
import { useAuth } from '../features/session/auth-provider.tsx';
import { isChunkLoadError } from '../lib/api/is-chunk-load-error.ts';
import { useOnline } from '../lib/browser/use-online.ts';
import { redirectAfterSessionEnd } from '../lib/session/redirect-to-sign-in.ts';
import { messages } from '../messages.ts';
import { paths } from '../site-map.ts';
import { Button } from '../ui/controls/button.tsx';
import { NotFoundPage } from '../ui/feedback/not-found-page.tsx';
import { LogoMark, Spinner } from '../ui/layout/logo-mark.tsx';
import { PageHeading } from '../ui/layout/page-heading.tsx';
import { usePageHead } from '../ui/layout/use-page-head.ts';
import { SiteLayout } from './layouts/site-layout.tsx';
import { requirePaymentDocument } from './payment-document.ts';

const { error: text, notLoaded: loadText } = messages;
const reloadPage = () => window.location.reload();

/** Reloads when the browser is online again. */
function LoadErrorPage() {
  const isOnline = useOnline();
  const wasOffline = useRef(!isOnline);
  useEffect(() => {
    if (!isOnline) wasOffline.current = true;
    else if (wasOffline.current) reloadPage();
  }, [isOnline]);
  return (
    <div className="grid grow place-content-center justify-items-center gap-3 px-4 py-24 text-center">
      <PageHeading title={messages.page.notLoaded} className="text-xl">
        {loadText.title}
      </PageHeading>
      <p className="max-w-md text-muted text-pretty">{isOnline ? loadText.online : loadText.offline}</p>
      {/* Offline, a reload would show the browser's error page. */}
      {isOnline && (
        <Button className="mt-3" onClick={reloadPage}>
          {text.reload}
        </Button>
      )}
    </div>
  );
}

function ErrorPage() {
  usePageHead(messages.page.error);
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
      <LogoMark className="size-10 text-muted" />
      <h1 className="text-xl">{text.title}</h1>
      <p className="text-muted">{text.text}</p>
      <Button className="mt-3" onClick={reloadPage}>
        {text.reload}
      </Button>
    </main>
  );
}

/**
 * Shown when a page throws, when its code can't be loaded, or when no route matches. The `*` route doesn't match paths
 * with line separators.
 */
function RouteError() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === 404;
  if (!isNotFound && !isChunkLoadError(error)) return <ErrorPage />;
  return <SiteLayout>{isNotFound ? <NotFoundPage /> : <LoadErrorPage />}</SiteLayout>;
}

/** Whether this document can share memory between threads. Fixed when the document is loaded. */
const isIsolatedDocument = typeof window !== 'undefined' && window.location.pathname.startsWith(sitePaths.local);

/**
 * Route loader of the page that processes images in the browser: loads a new document from the server, unless the
 * current one was served for that page.
 */
const requireIsolatedDocument = ({ request }: { request: Request }) =>
  isIsolatedDocument ? null : redirectDocument(request.url);

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

/** A sign-out needs no redirect, because it reloads the site at `/`. */
function RequireUser({ page: Page }: { page: ComponentType<{ user: User }> }) {
  const { user, logout } = useAuth();
  if (user) return <Page user={user} />;
  return logout.isPending || logout.isSuccess ? <LoadingPage /> : <SignInRedirect />;
}

const makePageRoute = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});

const makeDataPageRoute = (
  path: string,
  load: () => Promise<{ Component: ComponentType; loader: LoaderFunction }>,
): RouteObject => ({ path, lazy: load });

const makeUserPageRoute = (path: string, load: () => Promise<ComponentType<{ user: User }>>): RouteObject => ({
  path,
  lazy: async () => ({ element: <RequireUser page={await load()} /> }),
});

/**
 * Creates a user route for a payment page. Its document has another content security policy, so it is loaded from the
 * server.
 */
const makePaymentPageRoute = (path: string, load: () => Promise<ComponentType<{ user: User }>>): RouteObject => ({
  ...makeUserPageRoute(path, load),
  loader: requirePaymentDocument,
});

const developmentPages: RouteObject[] = import.meta.env.DEV
  ? [makePageRoute('/dev/ui', async () => (await import('./dev-ui-page.tsx')).DevUiPage)]
  : [];

export const router = createBrowserRouter([
  {
    element: <SiteLayout />,
    errorElement: <RouteError />,
    // The first page is part of the entry bundle, so it needs no loading state.
    hydrateFallbackElement: <></>,
    children: [
      { path: paths.home, element: <LandingPage /> },
      makePageRoute(paths.pricing, async () => (await import('../features/pricing/pricing-page.tsx')).PricingPage),
      makePageRoute(
        paths.documentation,
        async () => (await import('../features/documentation/documentation-page.tsx')).DocumentationPage,
      ),
      makePageRoute(
        paths.reference,
        async () => (await import('../features/reference/reference-page.tsx')).ReferencePage,
      ),
      makePageRoute(paths.auth, async () => (await import('../features/session/auth-page.tsx')).AuthPage),
      makeDataPageRoute(paths.blog, async () => {
        const { BlogPage: Component, loadPosts: loader } = await import('../features/blog/blog-page.tsx');
        return { Component, loader };
      }),
      makeDataPageRoute(articlePages.category, async () => {
        const { CategoryPage: Component, loadPosts: loader } = await import('../features/blog/blog-page.tsx');
        return { Component, loader };
      }),
      makeDataPageRoute(articlePages.post, async () => {
        const { BlogPostPage: Component, loadPost: loader } = await import('../features/blog/blog-post-page.tsx');
        return { Component, loader };
      }),
      makePageRoute(
        articlePages.preview,
        async () => (await import('../features/blog/blog-preview-page.tsx')).BlogPreviewPage,
      ),
      makePageRoute(paths.contact, async () => (await import('../features/contact/contact-page.tsx')).ContactPage),
      makeDataPageRoute(paths.help, async () => {
        const { HelpCenterPage: Component, loadHelpCenter: loader } = await import(
          '../features/help/help-center-page.tsx'
        );
        return { Component, loader };
      }),
      makeDataPageRoute(articlePages.help, async () => {
        const { HelpArticlePage: Component, loadHelpArticle: loader } = await import(
          '../features/help/help-article-page.tsx'
        );
        return { Component, loader };
      }),
      makeDataPageRoute(articlePages.position, async () => {
        const { PositionPage: Component, loadPosition: loader } = await import(
          '../features/site-pages/position-page.tsx'
        );
        return { Component, loader };
      }),
      ...[paths.about, paths.careers, paths.terms, paths.privacy].map((path) =>
        makeDataPageRoute(path, async () => {
          const { SitePageView: Component, loadSitePage: loader } = await import(
            '../features/site-pages/site-page.tsx'
          );
          return { Component, loader };
        }),
      ),
      ...[articlePages.terms, articlePages.privacy].map((path) =>
        makeDataPageRoute(path, async () => {
          const { LegalVersionPage: Component, loadLegalVersion: loader } = await import(
            '../features/site-pages/legal-version-page.tsx'
          );
          return { Component, loader };
        }),
      ),
      makeDataPageRoute(paths.status, async () => {
        const { StatusPage: Component, loadStatus: loader } = await import('../features/status/status-page.tsx');
        return { Component, loader };
      }),
      makeDataPageRoute(incidentPage, async () => {
        const { StatusIncidentPage: Component, loadIncident: loader } = await import(
          '../features/status/status-incident-page.tsx'
        );
        return { Component, loader };
      }),
      {
        ...makePageRoute(
          paths.local,
          async () => (await import('../features/local/on-this-device-page.tsx')).OnThisDevicePage,
        ),
        loader: requireIsolatedDocument,
      },
      makePageRoute(paths.shared, async () => (await import('../features/share/shared-page.tsx')).SharedPage),
      makePageRoute(
        paths.verifyEmail,
        async () => (await import('../features/session/verify-email-page.tsx')).VerifyEmailPage,
      ),
      makePageRoute(
        paths.resetPassword,
        async () => (await import('../features/session/reset-password-page.tsx')).ResetPasswordPage,
      ),
      makePageRoute(
        paths.invitation,
        async () => (await import('../features/session/invitation-page.tsx')).InvitationPage,
      ),
      makePageRoute(
        paths.confirmSubscription,
        async () => (await import('../features/newsletter/newsletter-confirm-page.tsx')).ConfirmSubscriptionPage,
      ),
      makePageRoute(
        paths.preferences,
        async () => (await import('../features/newsletter/newsletter-preferences-page.tsx')).PreferencesPage,
      ),
      makePageRoute(
        paths.unsubscribe,
        async () => (await import('../features/newsletter/newsletter-unsubscribe-page.tsx')).UnsubscribePage,
      ),
      makeUserPageRoute(
        paths.dashboard,
        async () => (await import('../features/dashboard/dashboard-page.tsx')).DashboardPage,
      ),
      makePaymentPageRoute(
        paths.subscribe,
        async () => (await import('../features/billing/subscribe/subscribe-page.tsx')).SubscribePage,
      ),
      makePaymentPageRoute(
        paths.billing,
        async () => (await import('../features/billing/manage/billing-page.tsx')).BillingPage,
      ),
      makeUserPageRoute(paths.account, async () => (await import('../features/account/account-page.tsx')).AccountPage),
      makePageRoute(`${paths.admin}/*`, async () => (await import('./admin-area.tsx')).AdminArea),
      ...developmentPages,
      { path: '*', element: <NotFoundPage /> },
    ],
  },
]);
