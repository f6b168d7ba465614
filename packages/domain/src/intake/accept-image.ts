import { AppError } from '@uprez/contracts/errors/app-error';
import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import type { V1Request } from '@uprez/contracts/v1/parse-v1-request';
import { insertRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { ignoresQuality } from '@uprez/imaging/pipeline/estimate-file-size';
import { type Actor, isSandbox, surfaceOf } from '../actor.ts';
import { isImageError } from '../batches/cancel-batch.ts';
import type { Needs } from '../context.ts';
import { spendFreeWork } from '../jobs/admission.ts';
import { type CreatedJob, createJob } from '../jobs/create-job.ts';
import { abandonUpload } from '../uploads/begin-upload.ts';
import { registerJobWebhook } from '../webhooks/require-webhooks.ts';
import { applySandboxTrigger, failInSandbox, startDelayOf } from './apply-sandbox-trigger.ts';
import { describeOperator, type OperatorContext } from './describe-engines.ts';
import { type InspectorContext, type PreparedUpload, prepareUpload, type Upload } from './prepare-upload.ts';

/** A request's parsed fields. `given` is undefined for requests from the web app. */
export type ProcessRequest = Pick<V1Request, 'recipe' | 'options'> & { given?: V1Request['given'] };

/** `created` is undefined for a dry run. */
type AcceptedImage = { request: ProcessRequest; prepared: PreparedUpload; created: CreatedJob | undefined };

export type AcceptContext = Parameters<typeof registerJobWebhook>[0] &
  Needs<'db' | 'storage' | 'queue' | 'publisher' | 'log'> &
  InspectorContext &
  OperatorContext;
type AcceptImageInput = {
  actor: Actor;
  upload: Upload;
  parse: () => ProcessRequest;
  idempotencyKey: string | undefined;
  /** What the image is used for, as shown in the ledger. */
  use?: string | undefined;
};

/**
 * Creates the job for an uploaded image, or only plans it if the request is a dry run. Deletes the upload if no job
 * uses it.
 */
export async function acceptImage(ctx: AcceptContext, image: AcceptImageInput): Promise<AcceptedImage> {
  try {
    const accepted = await createOrPrepare(ctx, image);
    const { created } = accepted;
    if (!created || created.joined) await abandonUpload(ctx, image.upload);
    return accepted;
  } catch (error) {
    await abandonUpload(ctx, image.upload);
    await recordRejection(ctx, { actor: image.actor, filename: image.upload.filename, error });
    throw error;
  }
}

async function createOrPrepare(ctx: AcceptContext, { actor, upload, parse, idempotencyKey, use }: AcceptImageInput) {
  const request = parse();
  const { dryRun, cache, webhookUrl: url } = request.options;
  const { filename } = upload;
  const trigger = applySandboxTrigger(actor, filename);
  const prepared = await prepareWithNotes(ctx, { actor, upload, request });
  const webhookUrl =
    url === undefined ? undefined : await registerJobWebhook(ctx, { actor, url, param: 'webhook_url' });
  if (dryRun) return { request, prepared, created: undefined };
  await spendFreeWork(ctx, { actor, idempotencyKey, seconds: prepared.plan.estimate.seconds });
  const behavior = { mayRepeat: cache, notBefore: startDelayOf(trigger), webhookUrl, idempotencyKey, use };
  const created = await createJob(ctx, { actor, filename, ...behavior, ...prepared });
  if (!created.joined) await ctx.freeWork.keepCaller(actor, created.job.id);
  if (trigger?.kind === 'fail') await failInSandbox(ctx, { job: created.job, code: trigger.code });
  return { request, prepared, created };
}

type ParsedUpload = { upload: Upload; request: ProcessRequest };

async function prepareWithNotes(
  ctx: InspectorContext & OperatorContext,
  { actor, upload, request }: ParsedUpload & { actor: Actor },
): Promise<PreparedUpload> {
  const { recipe, given } = request;
  const operator = await describeOperator(ctx);
  const keepsAlpha = given !== undefined && given.format === undefined;
  const prepared = await prepareUpload(ctx, { actor, upload, recipe, operator, keepsAlpha }).catch((error: unknown) => {
    throw error instanceof AppError && given ? withSentField(error, given) : error;
  });
  const { output } = prepared.plan;
  const isIdle = given?.quality !== undefined && ignoresQuality(output) && !isSandbox(actor);
  const kind = output.lossless ? 'lossless ' : '';
  const notes = isIdle ? [`"${given.quality}" has no effect on ${kind}${formatNames[output.format]}.`] : [];
  return { ...prepared, notes: [...prepared.notes, ...notes] };
}

/** Pipeline errors use the web app's field name. Replaces it with the name of the field that the client sent. */
function withSentField(error: AppError, given: V1Request['given']): AppError {
  if (error.param !== 'scaleFactor') return error;
  const sized = sizeFields.find((field) => given[field] !== undefined);
  return error.with({ param: (sized && given[sized]) ?? 'scale_factor' });
}

type Rejection = { actor: Actor; filename: string; error: unknown };

/**
 * Records that a single image was rejected before a job was created for it, so that administrators can explain the
 * rejection. Skips sandbox requests and errors that aren't about the file, such as a lack of credits. Never throws,
 * because the caller reports its own error.
 */
export async function recordRejection(
  { db, log }: Needs<'db' | 'log'>,
  { actor, filename, error }: Rejection,
): Promise<void> {
  if (!(error instanceof AppError) || !isImageError(error) || error.code === 'quota_exceeded' || isSandbox(actor))
    return;
  const { accountId } = actor;
  const images = [{ filename, errorCode: error.code, errorDetail: error.message }];
  await insertRejectedImages(db, { accountId, surface: surfaceOf(actor), images }).catch((cause: unknown) => {
    log.warn({ err: cause, accountId }, 'rejected image could not be stored');
  });
}
