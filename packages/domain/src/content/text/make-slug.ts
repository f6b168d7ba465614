import { type ArticleKind, articleLimits } from '@uprez/contracts/policy/articles';
import { makeSlug } from '@uprez/contracts/texts/make-slug';

/** Returns the first of `post`, `post-2`, ... that isn't taken. Without a title, the slug is the article's kind. */
export function makeFreeSlug({ title, kind }: { title: string; kind: ArticleKind }, taken: readonly string[]): string {
  return numberSlug(makeArticleSlug({ title, kind }), taken);
}

/** Returns the first of `news`, `news-2`, ... that isn't taken. */
export function numberSlug(slug: string, taken: readonly string[]): string {
  if (!taken.includes(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const numbered = slug.slice(0, articleLimits.slugLength - suffix.length).replace(/-+$/, '') + suffix;
    if (!taken.includes(numbered)) return numbered;
  }
}

/** Returns the default slug of an article, unless it is taken. */
export const makeArticleSlug = ({ title, kind }: { title: string; kind: ArticleKind }): string =>
  makeSlug(title) || kind;

/** Whether a string may be a slug in a URL, including former slugs and uppercase ones. */
export const isSlug = (text: string): boolean => /^[\w-]+$/.test(text);
