/** The pattern of `like` and `ilike` for texts that contain another one, whose wildcards are ordinary characters. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
