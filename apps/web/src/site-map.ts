import { mailPages } from '@uprez/contracts/pages';
import { messages } from './messages.ts';

/** Paths of the pages that exist. */
export const paths = {
  home: mailPages.home,
  auth: mailPages.auth,
  verifyEmail: mailPages.verifyEmail,
  resetPassword: mailPages.resetPassword,
  account: mailPages.account,
} as const;
type Path = (typeof paths)[keyof typeof paths];

type Audience = 'visitor' | 'user';
type SiteLink = {
  label: string;
  to: Path | `${Path}#${string}`;
  /** Who finds it in the navigation bar. */
  bar: readonly Audience[];
};

/** Every link of the navigation bar and the footer, in the order of the footer. */
export const siteLinks: readonly SiteLink[] = [
  { label: messages.navigation.features, to: '/#features', bar: ['visitor'] },
];

/** Links of the navigation bar for a visitor or a signed-in user. */
export const barLinks = (audience: Audience): readonly SiteLink[] =>
  siteLinks.filter(({ bar }) => bar.includes(audience));
