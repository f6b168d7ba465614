import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import { postPath } from '@uprez/contracts/texts/pages';
import { makeSlugOf } from '@uprez/domain/content/text/make-slug';
import type { Config } from '../../config.ts';
import { absoluteUrl } from '../../http/public-links.ts';

const paths: Record<ArticleKind, (slug: string) => string> = {
  post: postPath,
  help: (slug) => `/help-center/${slug}`,
  legal: (slug) => `/${slug}`,
  page: (slug) => `/${slug}`,
  position: (slug) => `/careers/${slug}`,
};

/** The URL of an article once its draft is public. */
export const urlOf = (
  config: Pick<Config, 'PUBLIC_URL'>,
  { kind, slug, title }: Pick<Article, 'kind' | 'slug' | 'title'>,
): string => absoluteUrl(config, paths[kind](slug || makeSlugOf({ title, kind })));
