import { AppError } from '@uprez/contracts/errors/app-error';
import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import { findJobWithFiles, getJob, type JobWithFiles } from '@uprez/domain/jobs/get-job';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { requireActor } from '../../http/authenticate.ts';
import { contract } from '../../http/contract.ts';
import type { Dialect } from '../dialect.ts';
import { resultName } from '../jobs/result-name.ts';
import { checkDownloadLink } from './download-link.ts';
import { type Sent, sendObject } from './send-object.ts';

/** The result of a job as a file. Throws `job_not_finished`, or `result_expired` once it is gone. */
function resultFile({ job, result }: JobWithFiles): Sent {
  if (job.status === 'queued' || job.status === 'processing') throw new AppError('job_not_finished');
  if (!result) throw new AppError('result_expired');
  const mimeType = mimeTypes[job.plan.output.format];
  return { object: result, mimeType, filename: resultName(job), disposition: 'attachment' };
}

export function registerFileRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract('downloadImage'),
    handler: async (request, reply) => {
      const found = await getJob(deps, { actor: await requireActor(deps, request), id: request.params.id });
      return sendObject(deps, { request, reply }, resultFile(found));
    },
  });
  app.route({
    ...contract('thumbnail'),
    handler: async (request, reply) => {
      const { job, thumbnail } = await getJob(deps, {
        actor: await requireActor(deps, request),
        id: request.params.id,
      });
      if (!thumbnail) throw new AppError(job.finishedAt ? 'result_expired' : 'job_not_finished');
      const sent: Sent = {
        object: thumbnail,
        mimeType: mimeTypes.webp,
        filename: 'thumbnail.webp',
        disposition: 'inline',
      };
      return sendObject(deps, { request, reply }, sent);
    },
  });
}

/** Results by their signed links, which need no session and no key. */
export function registerSignedFileRoute({ route, surface }: Dialect, deps: Deps): void {
  route('signedFile', async (request, reply) => {
    const found = await findSigned(deps, request.params.id, request.query);
    // Pages of other sites may embed what the public API has made.
    if (surface === 'api') reply.header('cross-origin-resource-policy', 'cross-origin');
    return sendObject(deps, { request, reply }, resultFile(found));
  });
}

/**
 * The job that a signed link opens. Throws `job_not_found` for a wrong or expired signature, and `result_expired` for a
 * link of ours to a result that is gone.
 */
async function findSigned(deps: Deps, id: string, link: { exp: string; sig: string }): Promise<JobWithFiles> {
  const found = await findJobWithFiles(deps, id);
  const target = { jobId: id, objectId: found?.result?.id };
  const proof = checkDownloadLink(deps.config.URL_SECRET, target, link);
  if (found && proof === 'issued' && !found.result) throw new AppError('result_expired');
  if (!found || proof !== 'valid') throw new AppError('job_not_found', { hint: 'Get the job again for a new link.' });
  return found;
}
