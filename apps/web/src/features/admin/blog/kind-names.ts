import type { ArticleKind } from '@uprez/contracts/policy/articles';

/** Name of each article kind within a sentence. */
export const kindNames: Record<ArticleKind, string> = {
  post: 'post',
  help: 'help article',
  legal: 'legal text',
  page: 'page',
  position: 'position',
};

/** Returns the name of an article kind for the start of a sentence. */
export const kindTitle = (kind: ArticleKind): string =>
  kindNames[kind].charAt(0).toUpperCase() + kindNames[kind].slice(1);
