import { mailPages, sitePaths } from '@uprez/contracts/texts/site/pages';
import { messages } from './messages.ts';

export const paths = sitePaths;
type Path = (typeof paths)[keyof typeof paths];

export const signUpPath = `${paths.auth}?tab=sign-up` as const;

export const anchors = { features: 'features', pricing: 'pricing', api: 'api' } as const;

export type Audience = 'visitor' | 'user';
type SiteLink = {
  label: string;
  to: Path | `${Path}#${string}` | `${Path}?${string}`;
  /** Audiences that see the link in the navigation bar and in the footer. */
  bar: readonly Audience[];
  footer: readonly Audience[];
};
const everybody = ['visitor', 'user'] as const;

export const siteLinks: readonly SiteLink[] = [
  { label: messages.navigation.dashboard, to: paths.dashboard, bar: ['user'], footer: [] },
  { label: messages.navigation.features, to: `/#${anchors.features}`, bar: ['visitor'], footer: everybody },
  { label: messages.navigation.pricing, to: paths.pricing, bar: everybody, footer: everybody },
  { label: messages.navigation.api, to: `/#${anchors.api}`, bar: ['visitor'], footer: ['visitor'] },
  // Signed-in users get a link to their API keys, because their landing page doesn't describe the API.
  { label: messages.navigation.api, to: mailPages.apiKeys, bar: [], footer: ['user'] },
  { label: messages.navigation.documentation, to: paths.documentation, bar: everybody, footer: everybody },
  { label: messages.navigation.reference, to: paths.reference, bar: [], footer: everybody },
  { label: messages.navigation.about, to: paths.about, bar: [], footer: everybody },
  { label: messages.navigation.blog, to: paths.blog, bar: [], footer: everybody },
  { label: messages.navigation.careers, to: paths.careers, bar: [], footer: everybody },
  { label: messages.navigation.contact, to: paths.contact, bar: [], footer: everybody },
  { label: messages.navigation.help, to: paths.help, bar: [], footer: everybody },
  { label: messages.navigation.status, to: paths.status, bar: [], footer: everybody },
  { label: messages.navigation.privacy, to: paths.privacy, bar: [], footer: everybody },
  { label: messages.navigation.terms, to: paths.terms, bar: [], footer: everybody },
];

export const barLinks = (audience: Audience): readonly SiteLink[] =>
  siteLinks.filter(({ bar }) => bar.includes(audience));

export const footerLinks = (audience: Audience): readonly SiteLink[] =>
  siteLinks.filter(({ footer }) => footer.includes(audience));
