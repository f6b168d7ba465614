import { AppError } from '@uprez/contracts/errors/app-error';
import { acceptImage } from '@uprez/domain/intake/accept-image';
import { recordRejection } from '@uprez/domain/intake/record-rejection';
import { requireAdmission } from '@uprez/domain/jobs/admission/require-admission';
import type { CreatedJob } from '@uprez/domain/jobs/create-job';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import { reportLimit } from '@uprez/domain/report-limit';
import { requireNotFailed, waitForJob } from '@uprez/domain/waiting/wait-for-job';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { untilGone } from '../../http/closing-signal.ts';
import { endDisconnected } from '../../http/end-disconnected.ts';
import { addressOf } from '../../http/request-callers.ts';
import type { Dialect } from '../dialect.ts';
import { resultFile } from '../files/result-file.ts';
import { sendObject } from '../files/send-object.ts';
import { isCopy } from './present-job.ts';
import { defaultWaitSeconds, parseFor, type Representation } from './representation.ts';
import { sendJobEvents } from './send-job-events.ts';
import { notePreferences, readIdempotencyKey, readWaitSeconds } from './wait-time.ts';

type Call = { dialect: Dialect; request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };
type Calling = Call & { wanted: Representation; signal: AbortSignal };

/**
 * Receives an image and creates its job. Responds with 200 and the result, in the representation that the client prefers,
 * or with 202 and the unfinished job, without a body for a client that accepts no JSON. If the job fails while the caller
 * waits, its error is thrown. A client that prefers events gets them until the job ends.
 */
export async function processImage(deps: Deps, call: Call): Promise<FastifyReply | undefined> {
  const { dialect, request, reply, closing } = call;
  const wanted = dialect.negotiate(request);
  const actor = await dialect.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  await requireAdmission(deps, { actor, idempotencyKey });
  const signal = untilGone(reply, closing);
  if (wanted.kind === 'events') openStream(deps, { request, reply, accountId: actor.accountId, signal });
  deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
  let filename = '';
  const tellName = (name: string) => {
    filename = name;
  };
  const receiving = dialect.receiveImage(actor, { request, signal, tellName });
  const { upload, fields } = await receiving.catch(async (error: unknown) => {
    await recordRejection(deps, { actor, filename, error });
    throw error;
  });
  const parse = () => parseFor(wanted, fields, dialect.parseFields);
  const accepted = await acceptImage(deps, { actor, upload, parse, idempotencyKey });
  const { created, planned } = accepted;
  if (!created) return reply.status(200).send(dialect.presentDryRun(planned, actor));
  requireKept(created);
  reply.headers({ 'x-job-id': created.job.id, location: jobPath(call, created) });
  const calling = { ...call, wanted, signal };
  const notes = [...planned.notes, ...notePreferences(request)];
  if (wanted.kind === 'events') {
    dialect.tell(reply, { 'x-credits-charged': created.charged });
    return sendJobEvents(deps, { ...calling, present: wanted.present, actor, jobId: created.job.id, notes });
  }
  const { async: isAsync } = accepted.request.options;
  const seconds = readWaitSeconds(dialect, reply, { isAsync, fallback: defaultWaitSeconds(wanted) });
  const found = await waitForJob(deps, { actor, created, seconds, signal });
  if (reply.raw.closed) return void endDisconnected(request, reply);
  if (seconds > 0) await dialect.confirmCaller(request);
  if (dialect.surface === 'web' || seconds > 0 || wanted.kind === 'file') requireNotFailed(found);
  const { receipt } = found.job;
  dialect.tell(reply, { 'x-credits-charged': receipt?.freeReason ? 0 : created.charged });
  // The job of an Idempotency-Key is neither cached nor new.
  if (receipt && !created.joined) dialect.tell(reply, { 'x-cache': isCopy(found.job) ? 'hit' : 'miss' });
  return sendOutcome(deps, { ...calling, found, seconds, notes });
}

/** A repeated request gets the same error for a deleted result, whatever it accepts. */
function requireKept({ job, joined }: CreatedJob): void {
  if (!joined || job.status !== 'expired') return;
  throw new AppError('result_expired', {
    detail: 'The result of this request has been deleted.',
    hint: 'Send the image with a new Idempotency-Key to process it again.',
  });
}

const jobPath = ({ dialect, request }: Call, { job }: Pick<CreatedJob, 'job'>) =>
  `${dialect.prefixOf(request)}/jobs/${job.id}`;

type Follower = Pick<Call, 'request' | 'reply'> & { accountId: string; signal: AbortSignal };

/** Takes the slot of an event stream until the client disconnects, before its image is received. Throws `rate_limited`. */
export function openStream(deps: Deps, { request, reply, accountId, signal }: Follower): void {
  // The plugin for event streams does not find the type in unusual spellings of the header.
  if (!(reply as Partial<FastifyReply>).sse)
    throw new AppError('not_acceptable', { param: 'Accept', allowed: ['text/event-stream'] });
  const release = deps.takeStreamSlot({ account: accountId, address: addressOf(request) });
  signal.addEventListener('abort', release, { once: true });
  if (signal.aborted) release();
}

type Outcome = Calling & { found: JobWithFiles; seconds: number; notes: readonly string[] };

async function sendOutcome(deps: Deps, outcome: Outcome): Promise<FastifyReply> {
  const { dialect, request, reply, wanted, found, seconds, notes } = outcome;
  const statusUrl = jobPath(outcome, found);
  const isDone = found.job.status === 'completed' || found.job.status === 'expired';
  if (isDone && wanted.kind === 'file') {
    reply.header('link', `<${statusUrl}/receipt>; rel="describedby"; type="application/json"`);
    const file = resultFile(found);
    return sendObject(deps, { request, reply }, { ...file, mimeType: wanted.mimeType ?? file.mimeType });
  }
  const body = dialect.presentJob(request, found, notes);
  if (isDone) return reply.status(200).send(body);
  if (seconds > 0) reportLimit('wait_time');
  // Clients save what they receive as an image.
  if (!wanted.takesJson) return reply.status(202).send();
  return reply.status(202).send({ statusUrl, ...body });
}
