import { sitePaths, termsSlug } from '@uprez/contracts/texts/site/pages';

/** An article that an installation begins with. Its text is in a folder of this package, under its slug. */
export type FirstArticle = { slug: string; title: string; excerpt: string; featured?: boolean };

/** Names the fact that the pages of an installation were created. */
export const firstPagesFact = 'first_pages';

type FirstPage = FirstArticle & { kind: 'page' | 'legal' };
const slugOf = (path: string) => path.slice(1);

/** The pages at fixed URLs. They exist as long as the installation. */
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
