import { mailPages } from '@uprez/contracts/pages';
import { messages } from './messages.ts';

/** Paths of the pages that exist. */
export const paths = {
  home: mailPages.home,
  auth: mailPages.auth,
  verifyEmail: mailPages.verifyEmail,
  resetPassword: mailPages.resetPassword,
  account: mailPages.account,
  pricing: '/pricing',
  dashboard: mailPages.dashboard,
} as const;
type Path = (typeof paths)[keyof typeof paths];

type Audience = 'visitor' | 'user';
type SiteLink = {
  label: string;
  to: Path | `${Path}#${string}`;
  /** Who finds it in the navigation bar. */
  bar: readonly Audience[];
  /** Whether the footer has it too. */
  footer: boolean;
};

/** Every link of the navigation bar and the footer, in the order of the footer. */
export const siteLinks: readonly SiteLink[] = [
  { label: messages.navigation.dashboard, to: paths.dashboard, bar: ['user'], footer: false },
  { label: messages.navigation.features, to: '/#features', bar: ['visitor'], footer: true },
  { label: messages.navigation.pricing, to: paths.pricing, bar: ['visitor', 'user'], footer: true },
  { label: messages.navigation.api, to: '/#api', bar: ['visitor'], footer: true },
];

/** Links of the navigation bar for a visitor or a signed-in user. */
export const barLinks = (audience: Audience): readonly SiteLink[] =>
  siteLinks.filter(({ bar }) => bar.includes(audience));

/** Links of the footer. */
export const footerLinks = siteLinks.filter(({ footer }) => footer);
