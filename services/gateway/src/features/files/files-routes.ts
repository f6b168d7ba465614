import { AppError } from '@uprez/contracts/errors/app-error';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { findJobWithFiles, getJob, type JobWithFiles } from '@uprez/domain/jobs/get-job';
import { requireNotFailed } from '@uprez/domain/waiting/wait-for-job';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { checkDownloadLink, makeShareLink } from './download-link.ts';
import { sendObject, toResultFile } from './send-object.ts';

/**
 * Handler that sends the result of a job to its owner. Never redirects API clients to storage, because some would send
 * their key along, and others would save the empty redirect response.
 */
export const resultHandlers = ({ actorOf, setHeaders, surface }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    downloadImage: async (request, reply) => {
      const found = await getJob(deps, { actor: await actorOf(request), ...request.params });
      setHeaders(reply, { 'x-job-id': found.job.id });
      if (surface === 'api') requireNotFailed(found);
      return sendObject(deps, { request, reply }, { ...toResultFile(found), mayRedirect: surface === 'web' });
    },
  });

export const fileHandlers = ({ actorOf }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    thumbnail: async (request, reply) => {
      const { job, thumbnail } = await getJob(deps, { actor: await actorOf(request), ...request.params });
      if (!thumbnail) throw new AppError(job.finishedAt ? 'result_expired' : 'job_not_finished');
      const named = { mimeType: mimeTypes.webp, filename: 'thumbnail.webp', disposition: 'inline' } as const;
      return sendObject(deps, { request, reply }, { object: thumbnail, accountId: job.accountId, ...named });
    },
    shareResult: async (request) => {
      const found = await getJob(deps, { actor: await actorOf(request), ...request.params });
      const target = { jobId: found.job.id, objectId: toResultFile(found).object.id };
      const expiresAt = shareExpiryOf(found, request.body.hours);
      return { url: makeShareLink(deps.config.URL_SECRET[0], target, expiresAt), expiresAt: expiresAt.toISOString() };
    },
  });

/** After the chosen hours, but no later than the result. */
function shareExpiryOf({ job }: JobWithFiles, hours: number): Date {
  const chosen = Date.now() + hours * 3_600_000;
  return new Date(Math.min(chosen, job.expiresAt?.getTime() ?? chosen));
}

/** Handler for results at signed URLs, which require neither a session nor a key. */
export const signedFileHandlers = ({ openToPages }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    signedFile: async (request, reply) => {
      const found = await getSignedFile(deps, request.params.id, request.query);
      await openToPages({ request, reply }, found);
      return sendObject(deps, { request, reply }, toResultFile(found));
    },
  });

/**
 * Finds the job of a signed URL. Throws `job_not_found` for an invalid signature, `link_expired` for an expired URL,
 * and `result_expired` for a URL whose result has been deleted.
 */
async function getSignedFile(deps: Deps, id: string, link: { exp: string; sig: string }): Promise<JobWithFiles> {
  const isOurs = checkDownloadLink(deps.config.URL_SECRET, { jobId: id, objectId: undefined }, link) !== 'foreign';
  const found = isOurs ? await findJobWithFiles(deps, id) : undefined;
  const target = { jobId: id, objectId: found?.result?.id };
  const proof = checkDownloadLink(deps.config.URL_SECRET, target, link);
  if (found && proof === 'issued' && !found.result) throw new AppError('result_expired');
  if (found && proof === 'issued') throw new AppError('link_expired', { limitName: 'download_link_time' });
  if (!found || proof !== 'valid') throw new AppError('job_not_found', { hint: 'Get the job again for a new link.' });
  return found;
}
