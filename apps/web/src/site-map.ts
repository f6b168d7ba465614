import { mailPages, sitePaths } from '@uprez/contracts/texts/pages';
import { messages } from './messages.ts';

/** Paths of the pages that exist. */
export const paths = sitePaths;
type Path = (typeof paths)[keyof typeof paths];

/** Parts of the landing page that links lead to. */
export const anchors = { features: 'features', pricing: 'pricing', api: 'api' } as const;

export type Audience = 'visitor' | 'user';
type SiteLink = {
  label: string;
  to: Path | `${Path}#${string}` | `${Path}?${string}`;
  /** Who finds it in the navigation bar, and who in the footer. */
  bar: readonly Audience[];
  footer: readonly Audience[];
};
const everybody = ['visitor', 'user'] as const;

/** Every link of the navigation bar and the footer, in the order of the footer. */
export const siteLinks: readonly SiteLink[] = [
  { label: messages.navigation.dashboard, to: paths.dashboard, bar: ['user'], footer: [] },
  { label: messages.navigation.features, to: `/#${anchors.features}`, bar: ['visitor'], footer: everybody },
  { label: messages.navigation.pricing, to: paths.pricing, bar: everybody, footer: everybody },
  { label: messages.navigation.api, to: `/#${anchors.api}`, bar: ['visitor'], footer: ['visitor'] },
  // The landing page of who is signed in says nothing of the API; the dashboard does.
  { label: messages.navigation.api, to: mailPages.apiKeys, bar: [], footer: ['user'] },
  { label: messages.navigation.documentation, to: paths.documentation, bar: [], footer: everybody },
  { label: messages.navigation.reference, to: paths.reference, bar: [], footer: everybody },
];

/** Links of the navigation bar for a visitor or a signed-in user. */
export const barLinks = (audience: Audience): readonly SiteLink[] =>
  siteLinks.filter(({ bar }) => bar.includes(audience));

/** Links of the footer for a visitor or a signed-in user. */
export const footerLinks = (audience: Audience): readonly SiteLink[] =>
  siteLinks.filter(({ footer }) => footer.includes(audience));
