import { AppError } from '@uprez/contracts/errors/app-error';
import { formatNames, formatTraits } from '@uprez/contracts/policy/image-formats';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import { parseV1, type V1Wish } from '@uprez/contracts/v1/parse-v1';
import { type Actor, isSandbox } from '@uprez/domain/actor';
import { type CreatedJob, createJob } from '@uprez/domain/jobs/create-job';
import { failInSandbox } from '@uprez/domain/jobs/fail-in-sandbox';
import { takeJobWebhook } from '@uprez/domain/webhooks/require-webhooks';
import type { Deps } from '../deps.ts';
import { describeOperator } from '../features/estimates/describe-engines.ts';
import { keepIfTaken } from '../features/jobs/accept-image.ts';
import { obeyMagic, startsAfterS } from '../features/jobs/obey-magic.ts';
import { type PlannedUpload, planUpload } from '../features/uploads/plan-upload.ts';
import type { ReceivedForm, Upload } from '../features/uploads/receive-upload.ts';

type Form = ReceivedForm & { idempotencyKey: string | undefined };
/** Without a job: nothing was to be made. */
export type V1Accepted = { wish: V1Wish; planned: PlannedUpload; created: CreatedJob | undefined };

/**
 * Make a job of an image that came through the public API, or answer with what is stored of it already, or only tell
 * what would be made. Whatever becomes no job is removed.
 */
export async function acceptV1(
  deps: Deps,
  actor: Actor,
  { upload, fields, idempotencyKey }: Form,
): Promise<V1Accepted> {
  let accepted: Omit<V1Accepted, 'created'> | undefined;
  const created = await keepIfTaken(deps, upload, async () => {
    const wish = parseV1(fields);
    const magic = obeyMagic(actor, upload.filename);
    const planned = await planWithNotes(deps, actor, { upload, wish });
    const webhookUrl = await readWebhookUrl(deps, actor, wish);
    accepted = { wish, planned };
    if (wish.options.dryRun) return undefined;
    const mayRepeat = wish.options.cache && !magic;
    const notBefore = startsAfterS(magic);
    const { filename } = upload;
    const job = await createJob(deps, {
      actor,
      filename,
      idempotencyKey,
      mayRepeat,
      notBefore,
      webhookUrl,
      ...planned,
    });
    if (magic?.kind === 'fail') await failInSandbox(deps, { job: job.job, code: magic.code });
    return job;
  });
  if (!accepted) throw new AppError('internal');
  const { planned, wish } = accepted;
  const notes = created?.repeated ? sayRepeated(created.job, { upload, wish }) : [];
  return { wish, planned: { ...planned, notes: [...planned.notes, ...notes] }, created };
}

/** What is not as if it had been made anew. */
const sayRepeated = ({ filename }: CreatedJob['job'], { upload, wish }: { upload: Upload; wish: V1Wish }) => [
  ...(filename === upload.filename ? [] : [`This is the result of the same image, sent as "${filename}".`]),
  ...(wish.options.webhookUrl === undefined ? [] : ['The result was there already, so no webhook tells of it.']),
];

const readWebhookUrl = async (deps: Deps, actor: Actor, { options: { webhookUrl: url } }: V1Wish) =>
  url === undefined ? undefined : takeJobWebhook(deps, { actor, url, param: 'webhook_url' });

async function planWithNotes(
  deps: Deps,
  actor: Actor,
  { upload, wish }: { upload: Upload; wish: V1Wish },
): Promise<PlannedUpload> {
  const { recipe, given } = wish;
  const operator = await describeOperator(deps);
  const keepsAlpha = given.format === undefined;
  const planned = await planUpload(deps, actor, { upload, recipe, operator, keepsAlpha }).catch((error: unknown) => {
    throw error instanceof AppError ? asSent(error, wish) : error;
  });
  const { format } = planned.plan.output;
  const isIdle = given.quality !== undefined && !formatTraits[format].lossy && !isSandbox(actor);
  const idle = isIdle ? [`"${given.quality}" has no effect on ${formatNames[format]}.`] : [];
  return { ...planned, notes: [...planned.notes, ...idle] };
}

/** The planner names a size by the web's word for it: say the caller's. */
function asSent(error: AppError, { given }: V1Wish): AppError {
  if (error.param !== 'scaleFactor') return error;
  const named = sizeFields.find((field) => given[field] !== undefined);
  return error.with({ param: (named && given[named]) ?? 'scale_factor' });
}
