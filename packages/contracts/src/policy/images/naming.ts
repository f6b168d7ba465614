/** Tokens of the pattern that names files in a ZIP. */
export const namingTokens = ['name', 'factor', 'width', 'height', 'index', 'ext'] as const;
export type NamingToken = (typeof namingTokens)[number];
export const defaultNaming = '{name}-{factor}x.{ext}';

/** What follows the name of the image in the name of its result: nothing at the same scale. */
export const factorSuffix = (factor: number): string => (factor === 1 ? '' : `-${factor}x`);

/** The pattern for an image: the default has no factor at the same scale. */
export const namingFor = (pattern: string, factor: string | number): string =>
  pattern === defaultNaming && factor === 1 ? '{name}.{ext}' : pattern;
