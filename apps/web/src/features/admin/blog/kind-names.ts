import type { ArticleKind } from '@uprez/contracts/policy/articles';

/** What an article of a kind is called in a sentence. */
export const kindNames: Record<ArticleKind, string> = {
  post: 'post',
  help: 'help article',
  legal: 'legal text',
  page: 'page',
  position: 'position',
};

/** The same at the start of a sentence. */
export const kindTitle = (kind: ArticleKind): string =>
  kindNames[kind].charAt(0).toUpperCase() + kindNames[kind].slice(1);
