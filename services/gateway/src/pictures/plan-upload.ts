import type { ImagePlan, Inspection } from '@uprez/contracts/image-plan';
import type { Recipe } from '@uprez/contracts/recipe';
import type { Actor } from '@uprez/domain/actor';
import { type Operator, planJob } from '@uprez/domain/jobs/plan-job';
import type { Deps } from '../deps.ts';
import type { Upload } from '../http/receive-upload.ts';

export type UploadToPlan = { upload: Upload; recipe: Recipe; operator: Operator };
export type PlannedUpload = {
  plan: ImagePlan;
  source: { id: string; sizeBytes: number; sha256: string; inspection: Inspection };
};

/** Inspect a stored picture's header and plan what is made of it. Throws the inspector's refusals and the planner's. */
export async function planUpload(
  deps: Pick<Deps, 'storage' | 'inspector'>,
  actor: Actor,
  { upload, recipe, operator }: UploadToPlan,
): Promise<PlannedUpload> {
  const { id, key, sizeBytes, sha256 } = upload;
  const { stream } = await deps.storage.get(key);
  const inspection = await deps.inspector.inspect(stream, sizeBytes);
  return { plan: planJob({ actor, recipe, inspection, operator }), source: { id, sizeBytes, sha256, inspection } };
}
