import { sitePaths, termsSlug } from '@uprez/contracts/texts/site/pages';

/** An initial article of an installation. Its text is in a folder of this package, under its slug. */
export type FirstArticle = { slug: string; title: string; excerpt: string; featured?: boolean };

/** Name of the instance fact that records the creation of the first pages. */
export const firstPagesFact = 'first_pages';

type FirstPage = FirstArticle & { kind: 'page' | 'legal' };
const slugOf = (path: string) => path.slice(1);

/** The pages at fixed URLs. They exist for the lifetime of the installation. */
export const firstPages: readonly FirstPage[] = [
  {
    kind: 'legal',
    slug: termsSlug,
    title: 'Terms of Service',
    excerpt: '',
  },
  { kind: 'legal', slug: slugOf(sitePaths.privacy), title: 'Privacy Policy', excerpt: '' },
  {
    kind: 'page',
    slug: slugOf(sitePaths.about),
    title: 'About',
    excerpt: 'Upscaling with clear limits, honest numbers, and private images.',
  },
  {
    kind: 'page',
    slug: slugOf(sitePaths.careers),
    title: 'Careers',
    excerpt: 'Help people make more of their images.',
  },
];
