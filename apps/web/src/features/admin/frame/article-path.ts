import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { generatePath } from 'react-router';

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
