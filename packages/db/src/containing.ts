const escapeWildcards = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The pattern of `like` and `ilike` for texts that contain another one, whose wildcards are ordinary characters. */
export const containing = (text: string): string => `%${escapeWildcards(text)}%`;

/** The pattern for texts that begin with another one. */
export const beginning = (text: string): string => `${escapeWildcards(text)}%`;

/** The pattern for texts that end with another one. */
export const ending = (text: string): string => `%${escapeWildcards(text)}`;
