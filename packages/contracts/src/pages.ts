/** Where the public API and its errors are explained. */
export const documentationPage = '/documentation';

/** Pages of the web app that mails link to. */
export const mailPages = {
  home: '/',
  auth: '/auth',
  account: '/account',
  dashboard: '/dashboard',
  apiKeys: '/dashboard?tab=api-keys',
  verifyEmail: '/verify-email',
  resetPassword: '/reset-password',
} as const;
