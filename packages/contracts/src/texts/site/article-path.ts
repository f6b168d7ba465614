import type { ArticleKind } from '../../policy/articles.ts';
import { helpPath, positionPath, postPath } from './pages.ts';

const paths: Record<ArticleKind, (slug: string) => string> = {
  post: postPath,
  help: helpPath,
  legal: (slug) => `/${slug}`,
  page: (slug) => `/${slug}`,
  position: positionPath,
};

/** Returns the path of an article's page. */
export const pathOfArticle = (kind: ArticleKind, slug: string): string => paths[kind](slug);
