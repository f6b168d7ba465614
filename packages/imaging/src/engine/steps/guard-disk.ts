import { statfs } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { usedSize } from '../../plan/target-size.ts';

const MB = 1024 * 1024;
/** Profiles, metadata, thumbnail, reference. */
const smallFilesBytes = 16 * MB;
const full = /no space|disk full|unable to write|write error|write failed|unable to open for write|quota exceeded/i;
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS']);

/** Most that the intermediates and the result of a plan can take in the job folder, bytes: raw pixels, twice for the result. */
export function folderBytes({ source, output, shrinks, ...plan }: ImagePlan): number {
  const area = ({ width, height }: { width: number; height: number }) => width * height;
  const pixelBytes = ((source.channels + 1) * output.bitDepth * output.frames) / 8;
  const decoded = shrinks ? 0 : area(usedSize({ source, crop: plan.crop }));
  return Math.ceil((decoded + 2 * area(output)) * pixelBytes) + smallFilesBytes;
}

/** Throw AppError `service_unavailable` when the job folder's disk has no room for a plan. */
export async function guardDisk(dir: string, plan: ImagePlan): Promise<void> {
  const { bavail, bsize } = await statfs(dir);
  const needed = folderBytes(plan);
  if (bavail * bsize >= needed) return;
  throw new AppError('service_unavailable', {
    cause: new Error(`${dir} has ${bavail * bsize} bytes, ${needed} needed`),
  });
}

/** A disk that is full or broken is our trouble, not the image's: AppError `service_unavailable` instead of what was thrown. */
export function asDiskTrouble(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const isFull = full.test(error.message) || fullCodes.has((error as NodeJS.ErrnoException).code ?? '');
  return isFull ? new AppError('service_unavailable', { cause: error }) : error;
}
