export const documentationPage = '/documentation';
/** Returns the path of the documentation for an error code. */
export const errorPage = (code: string): string => `${documentationPage}#${code}`;

/** Pages of the web app that emails link to. */
export const mailPages = {
  home: '/',
  auth: '/auth',
  account: '/account',
  passkeys: '/account#passkeys',
  billing: '/account/billing',
  dashboard: '/dashboard',
  activity: '/dashboard?tab=activity',
  apiKeys: '/dashboard?tab=api-keys',
  verifyEmail: '/verify-email',
  resetPassword: '/reset-password',
  invitation: '/invitation',
  subscribe: '/subscribe',
  confirmSubscription: '/newsletter/confirm',
  preferences: '/newsletter/preferences',
  unsubscribe: '/newsletter/unsubscribe',
} as const;

export const termsSlug = 'terms-of-service';

/**
 * Paths of pages for visitors and users. Apart from the pages for administrators, articles, and incidents, the gateway
 * returns 404 for all other paths.
 */
export const sitePaths = {
  home: mailPages.home,
  auth: mailPages.auth,
  verifyEmail: mailPages.verifyEmail,
  resetPassword: mailPages.resetPassword,
  invitation: mailPages.invitation,
  account: mailPages.account,
  billing: mailPages.billing,
  subscribe: mailPages.subscribe,
  confirmSubscription: mailPages.confirmSubscription,
  preferences: mailPages.preferences,
  unsubscribe: mailPages.unsubscribe,
  pricing: '/pricing',
  documentation: documentationPage,
  reference: `${documentationPage}/reference`,
  about: '/about',
  blog: '/blog',
  careers: '/careers',
  contact: '/contact',
  help: '/help-center',
  status: '/status',
  terms: `/${termsSlug}`,
  privacy: '/privacy-policy',
  shared: '/shared',
  local: '/on-this-device',
  dashboard: mailPages.dashboard,
  admin: '/admin',
} as const;

const versionsPath = (path: string, number: number | ':number') => `${path}/versions/${number}`;
export const legalVersionPath = (slug: string, number: number): string => versionsPath(`/${slug}`, number);

export const articlePages = {
  post: `${sitePaths.blog}/:slug`,
  category: `${sitePaths.blog}/category/:slug`,
  preview: '/preview/:token',
  help: `${sitePaths.help}/:slug`,
  position: `${sitePaths.careers}/:slug`,
  terms: versionsPath(sitePaths.terms, ':number'),
  privacy: versionsPath(sitePaths.privacy, ':number'),
} as const;
export const helpPath = (slug: string): string => `${sitePaths.help}/${slug}`;
export const positionPath = (slug: string): string => `${sitePaths.careers}/${slug}`;
export const postPath = (slug: string): string => `${sitePaths.blog}/${slug}`;
export const categoryPath = (slug: string): string => `${sitePaths.blog}/category/${slug}`;
export const previewPath = (token: string): string => `/preview/${token}`;

export const feedPaths = { rss: `${sitePaths.blog}/feed.xml`, atom: `${sitePaths.blog}/atom.xml` } as const;

export const incidentPage = `${sitePaths.status}/incidents/:id`;
export const incidentPath = (id: string): string => `${sitePaths.status}/incidents/${id}`;
export const statusFiles = { feed: `${sitePaths.status}/feed.xml`, badge: `${sitePaths.status}/badge.svg` } as const;

export const sitemapPath = '/sitemap.xml';

/** Anchor of the section on the pricing page that lists the packs. */
export const packsAnchor = 'packs';
export const packsPage = `${sitePaths.pricing}#${packsAnchor}`;

/** Pages that take payments. Only these pages are allowed to run the payment provider's scripts. */
export const paymentPages: readonly string[] = [sitePaths.subscribe, sitePaths.billing];
