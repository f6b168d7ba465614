import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { generatePath } from 'react-router';

/** The page of a user. */
export const userPath = (id: string): string => generatePath(adminPages.user, { id });

/** The page of a campaign. */
export const campaignPath = (id: string): string => generatePath(adminPages.campaign, { id });

/** The page of a ticket. */
export const ticketPath = (id: string): string => generatePath(adminPages.ticket, { id });

/** The editor of a post. */
export const postPath = (id: string): string => generatePath(adminPages.post, { id });

const pages: Record<ArticleKind, { list: string; editor: string }> = {
  post: { list: adminPages.posts, editor: adminPages.post },
  help: { list: adminPages.help, editor: adminPages.helpArticle },
  legal: { list: `${adminPages.pages}?tab=legal`, editor: adminPages.page },
  page: { list: adminPages.pages, editor: adminPages.page },
  position: { list: `${adminPages.pages}?tab=positions`, editor: adminPages.page },
};

/** In place of the ID in the path of an editor: an article that the first save creates. */
export const newId = 'new';

/** The list of the articles of a kind. */
export const articleListPath = (kind: ArticleKind): string => pages[kind].list;

/** The editor of an article. */
export const articlePath = (kind: ArticleKind, id: string): string => generatePath(pages[kind].editor, { id });
