import { type ArticleKind, articleLimits } from '@uprez/contracts/policy/articles';
import { makeSlug } from '@uprez/contracts/texts/make-slug';

/**
 * Returns the first slug of `post`, `post-2`, ... that isn't taken. `post` stands for the slug that `makeArticleSlug`
 * returns.
 */
export function makeFreeSlug({ title, kind }: { title: string; kind: ArticleKind }, taken: readonly string[]): string {
  return numberSlug(makeArticleSlug({ title, kind }), taken);
}

/** Returns the first slug of `news`, `news-2`, ... that isn't taken. */
export function numberSlug(slug: string, taken: readonly string[]): string {
  if (!taken.includes(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const numbered = slug.slice(0, articleLimits.slugLength - suffix.length).replace(/-+$/, '') + suffix;
    if (!taken.includes(numbered)) return numbered;
  }
}

/**
 * Returns the slug made from an article's title, or the article's kind if the title yields no slug. The slug may be
 * taken.
 */
export const makeArticleSlug = ({ title, kind }: { title: string; kind: ArticleKind }): string =>
  makeSlug(title) || kind;

/** Whether a string may be a current or former slug in a URL. Allows uppercase letters, because lookups ignore case. */
export const isSlug = (text: string): boolean => /^[\w-]+$/.test(text);
