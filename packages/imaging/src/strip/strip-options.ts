/** `removesResolution`: whether to remove the print resolution as well. Pixels that aren't square stay so. */
export type StripOptions = { removesResolution?: boolean };
