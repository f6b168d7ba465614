import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Actor } from '../actor.ts';
import type { FreeWorkContext } from '../jobs/admission.ts';
import { type PreparedRequest, prepareRequest, type RequestInput } from '../jobs/pipeline/make-job-pipeline.ts';
import { networkOf } from '../network-of.ts';

/**
 * A stored upload that doesn't belong to a job yet. `filename`: the cleaned name. Empty if the image was sent as the
 * request body.
 */
export type Upload = { id: string; key: string; filename: string; sizeBytes: number; sha256: string };
/** The caller that inspections are counted for. `key`: the account ID, or the visitor's network. */
export type InspectionCaller = { key: string; plan: Plan };

const visitorPrefix = 'visitors ';
export const isVisitorKey = (key: string): boolean => key.startsWith(visitorPrefix);

/**
 * Returns the caller that a request's inspections are counted for. Visitors have the Free plan, and are counted by
 * network instead of by IP address.
 */
export const inspectionCallerOf = (actor: Pick<Actor, 'accountId' | 'plan'> | undefined, address: string) =>
  actor
    ? { key: actor.accountId, plan: actor.plan }
    : { key: visitorPrefix + networkOf(address), plan: currentPlans.free };

export type InspectorContext = FreeWorkContext & {
  inspector: {
    inspect: (
      image: { key: string; sizeBytes: number },
      caller: InspectionCaller,
      signal?: AbortSignal,
    ) => Promise<Inspection>;
  };
};

export type PreparedUpload = PreparedRequest & {
  source: { id: string; sizeBytes: number; sha256: string; inspection: Inspection };
};
type UploadToPrepare = { actor: Actor; upload: Upload } & Pick<RequestInput, 'recipe' | 'operator' | 'keepsAlpha'>;

/**
 * Inspects an upload's header and creates the pipeline for its job. Throws the errors of the inspector and of
 * `prepareRequest`.
 */
export async function prepareUpload(
  ctx: InspectorContext,
  { upload, ...request }: UploadToPrepare,
): Promise<PreparedUpload> {
  const { id, sizeBytes, sha256 } = upload;
  const { accountId, plan } = request.actor;
  const inspection = await ctx.inspector.inspect(upload, { key: accountId, plan });
  return {
    ...prepareRequest({ ...request, inspection, sourceBytes: sizeBytes }),
    source: { id, sizeBytes, sha256, inspection },
  };
}
