import { articleLimits } from '../policy/articles.ts';

/** Turns a title into the last part of a URL: `Naïve café` -> `naive-cafe`. Empty without letters and digits. */
export const makeSlug = (title: string): string =>
  title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, articleLimits.slugLength)
    .replace(/^-+|-+$/g, '');
