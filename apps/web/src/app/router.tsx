import { createBrowserRouter } from 'react-router';
import { LandingPage } from '../pages/landing.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { paths } from '../site-map.ts';
import { SiteLayout } from './layouts/site-layout.tsx';
import { RouteFault } from './route-fault.tsx';

export const router = createBrowserRouter([
  {
    element: <SiteLayout />,
    errorElement: <RouteFault />,
    // Nothing waits for data or code before the first page is shown.
    hydrateFallbackElement: <></>,
    children: [
      { path: paths.home, element: <LandingPage /> },
      { path: paths.auth, lazy: async () => ({ Component: (await import('../pages/auth.tsx')).AuthPage }) },
      {
        path: paths.verifyEmail,
        lazy: async () => ({ Component: (await import('../pages/verify-email.tsx')).VerifyEmailPage }),
      },
      {
        path: paths.resetPassword,
        lazy: async () => ({ Component: (await import('../pages/reset-password.tsx')).ResetPasswordPage }),
      },
      { path: paths.account, lazy: async () => ({ Component: (await import('../pages/account.tsx')).AccountPage }) },
      { path: '*', element: <NotFoundPage /> },
    ],
  },
]);
