import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { generatePath } from 'react-router';

export const userPath = (id: string): string => generatePath(adminPages.user, { id });

export const campaignPath = (id: string): string => generatePath(adminPages.campaign, { id });

export const ticketPath = (id: string): string => generatePath(adminPages.ticket, { id });

export const postPath = (id: string): string => generatePath(adminPages.post, { id });

const pages: Record<ArticleKind, { list: string; editor: string }> = {
  post: { list: adminPages.posts, editor: adminPages.post },
  help: { list: adminPages.help, editor: adminPages.helpArticle },
  legal: { list: `${adminPages.pages}?tab=legal`, editor: adminPages.page },
  page: { list: adminPages.pages, editor: adminPages.page },
  position: { list: `${adminPages.pages}?tab=positions`, editor: adminPages.page },
};

/** Replaces the ID in an editor's path until the first save creates the article. */
export const newId = 'new';

export const articleListPath = (kind: ArticleKind): string => pages[kind].list;

export const articlePath = (kind: ArticleKind, id: string): string => generatePath(pages[kind].editor, { id });
