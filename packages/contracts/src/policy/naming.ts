/** Tokens of the pattern that names files in a ZIP. */
export const namingTokens = ['name', 'factor', 'width', 'height', 'index', 'ext'] as const;
export type NamingToken = (typeof namingTokens)[number];
export const defaultNaming = '{name}-{factor}x.{ext}';
