import { pluralize } from '@uprez/contracts/texts/format';
import { pageTitles } from '@uprez/contracts/texts/site/page-titles';
import { sitePaths } from '@uprez/contracts/texts/site/pages';

const title = pageTitles[sitePaths.blog];

export const blogMessages = {
  title,
  /** Document titles. They must match the titles that the gateway serves. */
  documents: {
    category: (name: string) => `${name} - ${title}`,
    page: (list: string, page: number) => (page === 1 ? list : `${list}, page ${page}`),
  },
  categories: 'Categories',
  all: 'All',
  featured: 'Featured',
  posts: 'Posts',
  empty: { title: 'No posts yet', text: 'Posts appear here when they are published.' },
  noCategory: 'This category has no posts yet.',
  readingTime: (minutes: number) => `${minutes} min read`,
  readingTimeLabel: (minutes: number) => `Reading time: ${pluralize(minutes, 'minute')}`,
  pages: 'Pages',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  newer: 'Newer posts',
  older: 'Older posts',
  back: 'All posts',
  updated: (day: string) => `Updated ${day}`,
  untitled: 'Untitled',
  preview: {
    title: 'Preview',
    text: (at: string) => `This is a draft. Anyone with this link can read it until ${at}.`,
  },
} as const;
