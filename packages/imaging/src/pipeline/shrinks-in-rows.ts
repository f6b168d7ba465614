import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';

/** Whether an image is decoded at its own size and shrunk row by row: with transparency, and with several frames. */
export const shrinksInRows = ({
  shrinks,
  source,
  output,
}: Pick<ImagePipeline, 'shrinks' | 'source' | 'output'>): boolean => shrinks && (output.frames > 1 || source.hasAlpha);
