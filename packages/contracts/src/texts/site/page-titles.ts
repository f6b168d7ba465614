import { sitePaths } from './pages.ts';

type SitePath = (typeof sitePaths)[keyof typeof sitePaths];

/** The title of the home page is in the SEO settings. */
export const pageTitles: Record<Exclude<SitePath, '/'>, string> = {
  [sitePaths.pricing]: 'Pricing',
  [sitePaths.documentation]: 'Documentation',
  [sitePaths.reference]: 'API explorer',
  [sitePaths.about]: 'About',
  [sitePaths.blog]: 'Blog',
  [sitePaths.contact]: 'Contact',
  [sitePaths.careers]: 'Careers',
  [sitePaths.help]: 'Help Center',
  [sitePaths.status]: 'Status',
  [sitePaths.terms]: 'Terms of Service',
  [sitePaths.privacy]: 'Privacy Policy',
  [sitePaths.auth]: 'Sign In',
  [sitePaths.verifyEmail]: 'Confirm your email address',
  [sitePaths.resetPassword]: 'Reset your password',
  [sitePaths.invitation]: 'Accept your invitation',
  [sitePaths.account]: 'Account',
  [sitePaths.billing]: 'Billing',
  [sitePaths.subscribe]: 'Subscribe',
  [sitePaths.confirmSubscription]: 'Confirm your subscription',
  [sitePaths.preferences]: 'Email preferences',
  [sitePaths.unsubscribe]: 'Unsubscribe',
  [sitePaths.shared]: 'Shared image',
  [sitePaths.local]: 'Process on this device',
  [sitePaths.dashboard]: 'Dashboard',
  [sitePaths.admin]: 'Admin',
};

/** Title of pages that don't exist, without the site name. */
export const notFoundTitle = '404 Page Not Found';

/** Formats a page title: `Pricing - Uprez`. */
export const formatTitle = (title: string, siteName: string): string => `${title} - ${siteName}`;
