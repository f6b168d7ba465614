/** Where the public API and its errors are explained. */
export const documentationPage = '/documentation';
/** Where an error code is explained. */
export const errorPage = (code: string): string => `${documentationPage}#${code}`;

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
