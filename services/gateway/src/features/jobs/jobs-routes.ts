import { AppError } from '@uprez/contracts/errors/app-error';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import type { Actor } from '@uprez/domain/actor';
import { retryOwnJob } from '@uprez/domain/batches/retry-batch';
import { acceptImage, recordRejection } from '@uprez/domain/intake/accept-image';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import { requireAdmission } from '@uprez/domain/jobs/admission';
import type { CreatedJob } from '@uprez/domain/jobs/create-job';
import { deleteJob } from '@uprez/domain/jobs/delete-job';
import { getJob, type JobWithFiles, listJobs } from '@uprez/domain/jobs/get-job';
import { reportLimit } from '@uprez/domain/report-limit';
import { addPosition, requireNotFailed, waitForJob, watchJob } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { endDisconnected, makeDisconnectSignal } from '../../http/connections.ts';
import { defineHandlers } from '../../http/contract.ts';
import { addressOf } from '../../http/request-callers.ts';
import { hideThumbhash } from '../../http/views.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { sendObject, toResultFile } from '../files/send-object.ts';
import { readLastEventUs } from './job-events.ts';
import { isCopy } from './present-job.ts';
import {
  defaultWaitSeconds,
  type EventRepresentation,
  noteIgnoredPreferences,
  parseRequestFor,
  type Representation,
  readIdempotencyKey,
  readWaitSeconds,
} from './request-preferences.ts';

export const jobHandlers = (adapter: ApiAdapter, deps: Deps, closing: AbortSignal) => {
  const { actorOf } = adapter;
  return defineHandlers({
    processImage: {
      handler: (request, reply) => processImage(deps, { adapter, request, reply, closing }),
      sse: 'dual',
    },
    listJobs: async (request, reply) => {
      const page = await listJobs(deps, { actor: await actorOf(request), ...request.query });
      const jobs = await Promise.all(
        page.jobs.map(async (job) => adapter.presentJob(request, await addPosition(deps, job))),
      );
      return (reply as FastifyReply).status(200).send(adapter.presentJobs(reply, { ...page, jobs }));
    },
    getJob: {
      handler: async (request, reply) => {
        const actor = await actorOf(request);
        const found = await getJob(deps, { actor, ...request.params });
        adapter.setHeaders(reply, { 'x-job-id': found.job.id });
        if (adapter.surface === 'api' && acceptsEvents(request))
          return followJob(deps, { adapter, request, reply: reply as FastifyReply, closing, actor, found });
        return adapter.presentJob(request, await addPosition(deps, found));
      },
      sse: 'dual',
    },
    jobReceipt: async (request, reply) => {
      const { job } = await getJob(deps, { actor: await actorOf(request), ...request.params });
      adapter.setHeaders(reply, { 'x-job-id': job.id });
      if (!job.receipt) throw new AppError('job_not_finished');
      return hideThumbhash(request, job.receipt);
    },
    deleteJob: async (request, reply) => {
      const deletion = await deleteJob(deps, { actor: await actorOf(request), ...request.params });
      const isDeleted = deletion.kind === 'deleted';
      adapter.setHeaders(reply, { 'x-job-id': isDeleted ? deletion.receipt.id : deletion.job.id });
      return isDeleted ? adapter.presentDeletion(deletion.receipt) : adapter.presentJob(request, { job: deletion.job });
    },
  });
};

type FollowCall = {
  adapter: ApiAdapter;
  request: FastifyRequest;
  reply: FastifyReply;
  closing: AbortSignal;
  actor: Actor;
  found: JobWithFiles;
};

const acceptsEvents = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && /\btext\/event-stream\b/i.test(headers.accept ?? '');

/**
 * Sends a job as server-sent events if the client prefers them, and as JSON otherwise. A client that has already
 * received the final event gets status 204, which tells it not to reconnect (HTML, 9.2.3).
 */
async function followJob(deps: Deps, call: FollowCall) {
  const { adapter, request, reply, closing, actor, found } = call;
  const wanted = adapter.negotiate(request);
  if (wanted.kind !== 'events') return adapter.presentJob(request, await addPosition(deps, found));
  const { id: jobId, status, updatedUs } = found.job;
  if (isFinalStatus(status) && readLastEventUs(request) === updatedUs) return reply.status(204).send();
  const signal = makeDisconnectSignal(reply, closing);
  openEventStream(deps, { request, reply, accountId: actor.accountId, signal });
  return sendJobEvents(deps, { adapter, request, reply, present: wanted.present, actor, jobId, notes: [], signal });
}

/** Handler that retries failed jobs. Only the web app has this endpoint. */
export const webJobHandlers = (adapter: ApiAdapter, deps: Deps) => {
  const { actorOf } = adapter;
  return defineHandlers({
    retryJob: async (request, reply) => {
      const actor = await actorOf(request);
      await deps.admission.requireShortWait(actor);
      const operator = await describeOperator(deps);
      const { job, charged } = await retryOwnJob(deps, { actor, ...request.params, operator });
      adapter.setHeaders(reply, { 'x-job-id': job.id, 'x-credits-charged': charged });
      return (reply as FastifyReply).status(201).send(adapter.presentJob(request, await addPosition(deps, { job })));
    },
  });
};

type Call = { adapter: ApiAdapter; request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };
type NegotiatedCall = Call & { wanted: Representation; signal: AbortSignal };

/**
 * Receives an image and creates its job. If the job completes while the caller waits, responds with 200 and the result
 * in the representation that the client prefers. If it doesn't, responds with 202 and the unfinished job, or without a
 * body if the client doesn't accept JSON. Throws the job's error if the job fails while the caller waits. A client that
 * prefers events gets them until the job ends.
 */
async function processImage(deps: Deps, call: Call): Promise<FastifyReply | undefined> {
  const { adapter, request, reply, closing } = call;
  const wanted = adapter.negotiate(request);
  const actor = await adapter.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  await requireAdmission(deps, { actor, idempotencyKey });
  const signal = makeDisconnectSignal(reply, closing);
  if (wanted.kind === 'events') openEventStream(deps, { request, reply, accountId: actor.accountId, signal });
  deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
  let filename = '';
  const onFilename = (name: string) => {
    filename = name;
  };
  const receiving = adapter.receiveImage(actor, { request, signal, onFilename });
  const { upload, fields } = await receiving.catch(async (error: unknown) => {
    await recordRejection(deps, { actor, filename, error });
    throw error;
  });
  const parse = () => parseRequestFor(wanted, fields, adapter.parseFields);
  const accepted = await acceptImage(deps, { actor, upload, parse, idempotencyKey });
  const { created, prepared } = accepted;
  if (!created) return reply.status(200).send(adapter.presentDryRun(prepared, actor));
  requireKeptResult(created);
  reply.headers({ 'x-job-id': created.job.id, location: jobPath(call, created) });
  const calling = { ...call, wanted, signal };
  const notes = [...prepared.notes, ...noteIgnoredPreferences(request)];
  if (wanted.kind === 'events') {
    adapter.setHeaders(reply, { 'x-credits-charged': created.charged });
    return sendJobEvents(deps, { ...calling, present: wanted.present, actor, jobId: created.job.id, notes });
  }
  const { async: isAsync } = accepted.request.options;
  const seconds = readWaitSeconds(adapter, reply, { isAsync, fallback: defaultWaitSeconds(wanted) });
  const found = await waitForJob(deps, { actor, created, seconds, signal });
  if (reply.raw.closed) return void endDisconnected(request, reply);
  if (seconds > 0) await adapter.confirmCaller(request);
  if (adapter.surface === 'web' || seconds > 0 || wanted.kind === 'file') requireNotFailed(found);
  const { receipt } = found.job;
  adapter.setHeaders(reply, { 'x-credits-charged': receipt?.freeReason ? 0 : created.charged });
  // A job that is returned again for the same Idempotency-Key is neither a cache hit nor a miss.
  if (receipt && !created.joined) adapter.setHeaders(reply, { 'x-cache': isCopy(found.job) ? 'hit' : 'miss' });
  return sendOutcome(deps, { ...calling, found, seconds, notes });
}

/**
 * Throws `result_expired` if a request is repeated after its result was deleted, regardless of the media types that the
 * client accepts.
 */
function requireKeptResult({ job, joined }: CreatedJob): void {
  if (!joined || job.status !== 'expired') return;
  throw new AppError('result_expired', {
    detail: 'The result of this request has been deleted.',
    hint: 'Send the image with a new Idempotency-Key to process it again.',
  });
}

const jobPath = ({ adapter, request }: Call, { job }: Pick<CreatedJob, 'job'>) =>
  `${adapter.prefixOf(request)}/jobs/${job.id}`;

type StreamClient = Pick<Call, 'request' | 'reply'> & { accountId: string; signal: AbortSignal };

/**
 * Takes an event stream slot, and releases it when the client disconnects. Throws `rate_limited` or `not_acceptable`.
 */
function openEventStream(deps: Deps, { request, reply, accountId, signal }: StreamClient): void {
  // The SSE plugin doesn't set `sse` if the Accept header spells the media type in an unusual way.
  if (!(reply as Partial<FastifyReply>).sse)
    throw new AppError('not_acceptable', { param: 'Accept', allowed: ['text/event-stream'] });
  const release = deps.takeStreamSlot({ account: accountId, address: addressOf(request) });
  signal.addEventListener('abort', release, { once: true });
  if (signal.aborted) release();
}

type Outcome = NegotiatedCall & { found: JobWithFiles; seconds: number; notes: readonly string[] };

async function sendOutcome(deps: Deps, outcome: Outcome): Promise<FastifyReply> {
  const { adapter, request, reply, wanted, found, seconds, notes } = outcome;
  const statusUrl = jobPath(outcome, found);
  const isDone = found.job.status === 'completed' || found.job.status === 'expired';
  if (isDone && wanted.kind === 'file') {
    reply.header('link', `<${statusUrl}/receipt>; rel="describedby"; type="application/json"`);
    const file = toResultFile(found);
    return sendObject(deps, { request, reply }, { ...file, mimeType: wanted.mimeType ?? file.mimeType });
  }
  const body = adapter.presentJob(request, found, notes);
  if (isDone) return reply.status(200).send(body);
  if (seconds > 0) reportLimit('wait_time');
  // Omits the body for clients that don't accept JSON, because they would save it as an image.
  if (!wanted.takesJson) return reply.status(202).send();
  return reply.status(202).send({ statusUrl, ...body });
}

type JobEventStream = Pick<EventRepresentation, 'present'> & {
  adapter: ApiAdapter;
  request: FastifyRequest;
  reply: FastifyReply;
  actor: Actor;
  jobId: string;
  notes: readonly string[];
  signal: AbortSignal;
};

/**
 * Sends a job as server-sent events, now and whenever it changes, until it ends or the client disconnects. A client
 * that reconnects with the ID of its last event gets only later states. An error, such as a revoked key, ends the
 * stream, but the job continues.
 */
async function sendJobEvents(deps: Deps, following: JobEventStream): Promise<undefined> {
  const { adapter, request, reply, present, actor, jobId, notes, signal } = following;
  const sinceUs = readLastEventUs(request);
  reply.sse.sendHeaders();
  // Otherwise the headers would only be sent with the first event.
  reply.raw.flushHeaders();
  try {
    for await (const found of watchJob(deps, { actor, jobId, sinceUs, signal })) {
      await adapter.confirmCaller(request);
      if (!reply.sse.isConnected) return;
      await reply.sse.send({ id: String(found.job.updatedUs), event: 'job', data: present(found, notes) });
    }
  } catch (error) {
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'event stream failed');
  }
}
