import { AppError } from '@uprez/contracts/errors/app-error';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { canvasOf, listGifFrames } from '../canvas/list-gif-frames.ts';
import { hasFreeArea } from '../canvas/show-gif-canvas.ts';
import { inspectWithSharp } from './inspect-with-sharp.ts';
import { isOverBudget, type WorkBudget } from './work-budget.ts';

/** Channels of an image with transparency. */
const withAlpha = 4;

/** Inspect a GIF. Throws AppError `corrupt_image`. */
export async function inspectGif(file: Buffer, budget: WorkBudget): Promise<Inspection> {
  const { frames, end } = listGifFrames(file, budget);
  if (isOverBudget(budget, 'gif')) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  // The decoder does not report incomplete frames.
  if (end > file.length) throw new AppError('corrupt_image');
  const inspection = await inspectWithSharp(file, 'gif');
  return hasFreeArea(frames, canvasOf(file)) ? { ...inspection, hasAlpha: true, channels: withAlpha } : inspection;
}
