import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { generatePath } from 'react-router';

/** Returns the path of a user's page. */
export const userPath = (id: string): string => generatePath(adminPages.user, { id });

/** Returns the path of a campaign's page. */
export const campaignPath = (id: string): string => generatePath(adminPages.campaign, { id });

/** Returns the path of a ticket's page. */
export const ticketPath = (id: string): string => generatePath(adminPages.ticket, { id });

/** Returns the path of a post's editor. */
export const postPath = (id: string): string => generatePath(adminPages.post, { id });

const pages: Record<ArticleKind, { list: string; editor: string }> = {
  post: { list: adminPages.posts, editor: adminPages.post },
  help: { list: adminPages.help, editor: adminPages.helpArticle },
  legal: { list: `${adminPages.pages}?tab=legal`, editor: adminPages.page },
  page: { list: adminPages.pages, editor: adminPages.page },
  position: { list: `${adminPages.pages}?tab=positions`, editor: adminPages.page },
};

/** Used instead of an ID in the path of an editor, for an article that the first save creates. */
export const newId = 'new';

/** Returns the path of the list of a kind's articles. */
export const articleListPath = (kind: ArticleKind): string => pages[kind].list;

/** Returns the path of an article's editor. */
export const articlePath = (kind: ArticleKind, id: string): string => generatePath(pages[kind].editor, { id });
