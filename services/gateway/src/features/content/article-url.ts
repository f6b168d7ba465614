import type { Article } from '@uprez/contracts/schemas/content/articles';
import { pathOfArticle } from '@uprez/contracts/texts/article-path';
import { makeSlugOf } from '@uprez/domain/content/text/make-slug';
import type { Config } from '../../config.ts';
import { absoluteUrl } from '../../http/public-links.ts';

/** The URL of an article once its draft is public. */
export const urlOf = (
  config: Pick<Config, 'PUBLIC_URL'>,
  { kind, slug, title }: Pick<Article, 'kind' | 'slug' | 'title'>,
): string => absoluteUrl(config, pathOfArticle(kind, slug || makeSlugOf({ title, kind })));
