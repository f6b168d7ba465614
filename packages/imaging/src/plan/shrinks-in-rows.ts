import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';

/** Whether an image is decoded at its own size and shrunk row by row: with transparency, and with several frames. */
export const shrinksInRows = ({ shrinks, source, output }: Pick<ImagePlan, 'shrinks' | 'source' | 'output'>): boolean =>
  shrinks && (output.frames > 1 || source.hasAlpha);
