import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import { inspect } from '../../inspect/inspect.ts';
import { checkOutput } from '../../plan/check-output.ts';

/** Inspect the source again, because this process trusts neither the file nor the plan. Throws AppError. */
export async function checkSource(file: Buffer, { source, output, crop }: ImagePlan): Promise<void> {
  const inspection = await inspect(file);
  const changed = (Object.keys(source) as (keyof Inspection)[]).find((fact) => inspection[fact] !== source[fact]);
  const isOutside = crop && (crop.left + crop.width > inspection.width || crop.top + crop.height > inspection.height);
  if (changed || isOutside || output.frames > inspection.frames)
    throw new AppError('processing_crashed', {
      detail: "The stored image doesn't match the uploaded image.",
      meta: changed ? { fact: changed, planned: source[changed], found: inspection[changed] } : {},
    });
  const rejection = checkOutput(output, limits.outputPixels);
  if (rejection) throw new AppError(rejection.code, { detail: rejection.detail, meta: rejection.meta });
}
