/** Tokens of the naming pattern for files in a ZIP. */
export const namingTokens = ['name', 'factor', 'width', 'height', 'index', 'ext'] as const;
export type NamingToken = (typeof namingTokens)[number];
export const defaultNaming = '{name}-{factor}x.{ext}';

/** Returns the suffix of a result's name. Empty if the scale is unchanged. */
export const factorSuffix = (factor: number): string => (factor === 1 ? '' : `-${factor}x`);

/** Returns the naming pattern for an image. The default pattern omits the factor if the scale is unchanged. */
export const namingFor = (pattern: string, factor: string | number): string =>
  pattern === defaultNaming && factor === 1 ? '{name}.{ext}' : pattern;
