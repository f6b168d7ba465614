import { type ArticleKind, articleLimits } from '@uprez/contracts/policy/articles';
import { makeSlug } from '@uprez/contracts/texts/make-slug';

/** The first of `post`, `post-2`, ... that isn't taken. Without a title, the slug is the kind of the article. */
export function makeFreeSlug({ title, kind }: { title: string; kind: ArticleKind }, taken: readonly string[]): string {
  return numberSlug(makeSlugOf({ title, kind }), taken);
}

/** The first of `news`, `news-2`, ... that isn't taken. */
export function numberSlug(slug: string, taken: readonly string[]): string {
  if (!taken.includes(slug)) return slug;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const numbered = slug.slice(0, articleLimits.slugLength - suffix.length).replace(/-+$/, '') + suffix;
    if (!taken.includes(numbered)) return numbered;
  }
}

/** The slug that an article gets without one of its own, unless it is taken. */
export const makeSlugOf = ({ title, kind }: { title: string; kind: ArticleKind }): string => makeSlug(title) || kind;

/** Whether a text may be a slug in a URL, also a former one or one in uppercase. */
export const isSlug = (text: string): boolean => /^[\w-]+$/.test(text);
