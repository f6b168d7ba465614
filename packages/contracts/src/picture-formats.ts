/** Formats a picture may arrive in and leave in. The type is always read from the content, never from a name. */
export const inputFormats = ['jpeg', 'png', 'webp'] as const;
export const outputFormats = ['png', 'jpeg', 'webp'] as const;
export type InputFormat = (typeof inputFormats)[number];
export type OutputFormat = (typeof outputFormats)[number];

export const mimeTypes: Record<OutputFormat, string> = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };
export const fileExtensions: Record<OutputFormat, string> = { png: 'png', jpeg: 'jpg', webp: 'webp' };

/** Factor and quality as every surface offers them. */
export const factorRange = { min: 1, max: 8, default: 2, signedOutMax: 4 } as const;
export const qualityRange = { min: 1, max: 100, default: 95 } as const;
export const defaultFormat: OutputFormat = 'png';
