import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Actor } from '@uprez/domain/actor';
import { type PlannedRequest, type PlanRequest, planRequest } from '@uprez/domain/jobs/planning/plan-request';
import type { Deps } from '../../deps.ts';
import type { Upload } from './receive-upload.ts';

export type UploadToPlan = { upload: Upload } & Pick<PlanRequest, 'recipe' | 'operator' | 'keepsAlpha'>;
export type PlannedUpload = PlannedRequest & {
  source: { id: string; sizeBytes: number; sha256: string; inspection: Inspection };
};

/** Inspect a stored image's header and plan what is made of it. Throws the inspector's refusals and the planner's. */
export async function planUpload(
  deps: Pick<Deps, 'inspector'>,
  actor: Actor,
  { upload, ...wish }: UploadToPlan,
): Promise<PlannedUpload> {
  const { id, sizeBytes, sha256 } = upload;
  const inspection = await deps.inspector.inspect(upload);
  return { ...planRequest({ ...wish, actor, inspection }), source: { id, sizeBytes, sha256, inspection } };
}
