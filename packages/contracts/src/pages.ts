/** Pages of the web app that mails link to. */
export const mailPages = {
  home: '/',
  auth: '/auth',
  account: '/account',
  verifyEmail: '/verify-email',
  resetPassword: '/reset-password',
} as const;
