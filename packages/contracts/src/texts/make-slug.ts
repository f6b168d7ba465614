import { transliterate } from 'transliteration';
import { articleLimits } from '../policy/articles.ts';

/**
 * Creates a slug from a title: `Naïve café` -> `naive-cafe`, `你好` -> `ni-hao`. Returns an empty string if the title has
 * no letters or digits.
 */
export const makeSlug = (title: string): string =>
  transliterate(title.normalize('NFKC').replace(/['’]/g, ''))
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, articleLimits.slugLength)
    .replace(/^-+|-+$/g, '');
