import { AppError } from '@uprez/contracts/errors/app-error';
import type { Actor } from '../actor.ts';
import type { Needs } from '../context.ts';
import { getJob, type JobWithFiles, listChangedJobs } from '../jobs/get-job.ts';
import { addPosition, type PositionContext, type WaitContext } from './wait-for-job.ts';

type FollowInput = { actor: Actor; lastEventUs: number | undefined; signal: AbortSignal };
type FollowContext = WaitContext & PositionContext & Needs<'log'>;

/** Doubles with each error, up to the maximum. */
const [firstRetryMs, longestRetryMs] = [1_000, 30_000];
/**
 * Time by which the start of a gap is moved back, in microseconds. Exceeds the clock difference between PostgreSQL and
 * this process, and the time until a lost connection is noticed.
 */
const gapMarginUs = 60_000_000;

export type JobFollower = {
  /**
   * Yields an account's jobs as they change, starting with the changes after `lastEventUs`, until the signal aborts. An
   * older state never follows a newer one, and slow readers skip states.
   */
  follow: (follow: FollowInput) => Promise<AsyncGenerator<JobWithFiles>>;
};

/** Opens a follower for the jobs of accounts. All readers of the same account share its database reads. */
export function openJobFollower(ctx: FollowContext): JobFollower {
  const accounts = new Map<string, AccountReader>();
  const join = (actor: Actor, follower: Follower) => {
    const reader = accounts.get(actor.accountId) ?? openAccountReader(ctx, actor);
    accounts.set(actor.accountId, reader);
    reader.followers.add(follower);
    return () => {
      reader.followers.delete(follower);
      if (reader.followers.size > 0 || accounts.get(actor.accountId) !== reader) return;
      accounts.delete(actor.accountId);
      reader.close();
    };
  };
  return {
    follow: async ({ actor, lastEventUs, signal }) => {
      const follower = makeFollower(signal);
      const leave = join(actor, follower);
      try {
        const missed = listChangedJobs(ctx, { actor, lastEventUs });
        // An error in the first read fails the request, because the response hasn't started.
        const first = await missed.next();
        return streamJobs(ctx, { first: first.value ?? [], missed, follower, leave });
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

type AccountReader = ReturnType<typeof openAccountReader>;

/** Reads an account's changed jobs once for all of its followers. Retries failed reads. */
function openAccountReader(ctx: FollowContext, actor: Actor) {
  const followers = new Set<Follower>();
  const changes = openChangeTracker(ctx, actor, (found) => {
    for (const follower of followers) follower.offer(found);
  });
  let reading = false;
  let retry: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;
  const readChanged = async () => {
    if (reading || retry) return;
    reading = true;
    try {
      await changes.readAll();
      retryMs = firstRetryMs;
    } catch (error) {
      // Streams stay open: otherwise, their clients would reconnect immediately while PostgreSQL is unavailable.
      ctx.log.warn({ err: error, accountId: actor.accountId }, 'reading a changed job failed, will retry');
      retry = setTimeout(() => {
        retry = undefined;
        void readChanged();
      }, retryMs);
      retryMs = Math.min(2 * retryMs, longestRetryMs);
    } finally {
      reading = false;
    }
  };
  const onChange = ({ jobId }: { jobId: string }) => {
    changes.add(jobId);
    void readChanged();
  };
  const unsubscribe = ctx.subscriber.subscribe(actor.accountId, onChange, (sinceMs) => {
    changes.addGap(1_000 * sinceMs - gapMarginUs);
    void readChanged();
  });
  return {
    followers,
    close: () => {
      changes.close();
      clearTimeout(retry);
      unsubscribe();
    },
  };
}

/**
 * Tracks which of an account's jobs have changed since they were last read. `offer` is called with each job that is
 * read.
 */
function openChangeTracker(ctx: FollowContext, actor: Actor, offer: (found: JobWithFiles) => void) {
  const changed = new Set<string>();
  /** Time since which jobs may have changed without a message, in microseconds since 1970. */
  let gapUs: number | undefined;
  let isClosed = false;
  const readOne = async (id: string) => {
    changed.delete(id);
    try {
      offer(await addPosition(ctx, await getJob(ctx, { actor, id })));
    } catch (error) {
      // A job that was deleted in the meantime has no state to send.
      if (error instanceof AppError && error.code === 'job_not_found') return;
      changed.add(id);
      throw error;
    }
  };
  const fillGap = async (sinceUs: number) => {
    gapUs = undefined;
    try {
      for await (const page of listChangedJobs(ctx, { actor, lastEventUs: sinceUs })) {
        // The page also includes queued jobs that haven't changed. They are left out.
        const missed = page.filter(({ job }) => job.status !== 'queued' || job.updatedUs >= sinceUs);
        for (const found of missed) {
          if (isClosed) return;
          offer(await addPosition(ctx, found));
        }
      }
    } catch (error) {
      gapUs = Math.min(gapUs ?? sinceUs, sinceUs);
      throw error;
    }
  };
  return {
    add: (id: string) => void changed.add(id),
    /** Records that jobs may have changed since `sinceUs` without a message. */
    addGap: (sinceUs: number) => {
      gapUs = Math.min(gapUs ?? sinceUs, sinceUs);
    },
    readAll: async () => {
      try {
        while (!isClosed && (gapUs !== undefined || changed.size > 0)) {
          if (gapUs !== undefined) await fillGap(gapUs);
          for (const id of changed) await readOne(id);
        }
      } catch (error) {
        if (!isClosed) throw error;
      }
    },
    close: () => {
      isClosed = true;
      changed.clear();
    },
  };
}

type Follower = ReturnType<typeof makeFollower>;

/** Keeps the latest state of each job until it is taken. */
function makeFollower(signal: AbortSignal) {
  const latest = new Map<string, JobWithFiles>();
  let wake = () => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    offer: (found: JobWithFiles) => {
      latest.set(found.job.id, found);
      wake();
    },
    /** Resolves with the state that has been waiting longest, or undefined once the signal has aborted. */
    take: async (): Promise<JobWithFiles | undefined> => {
      while (latest.size === 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const [found] = signal.aborted ? [] : latest.values();
      if (found) latest.delete(found.job.id);
      return found;
    },
  };
}

type MissedJobs = { first: JobWithFiles[]; missed: AsyncGenerator<JobWithFiles[]> };

async function* streamJobs(
  ctx: PositionContext,
  { first, missed, follower, leave }: MissedJobs & { follower: Follower; leave: () => void },
): AsyncGenerator<JobWithFiles> {
  const seenUs = new Map<string, number>();
  async function* sendPage(page: readonly JobWithFiles[]) {
    for (const { job } of page) seenUs.set(job.id, job.updatedUs);
    yield* await Promise.all(page.map((found) => addPosition(ctx, found)));
  }
  try {
    yield* sendPage(first);
    for await (const page of missed) yield* sendPage(page);
    for (let found = await follower.take(); found; found = await follower.take()) {
      // This state may have been read before the missed jobs. Skip it if a newer state was already sent.
      if (found.job.updatedUs >= (seenUs.get(found.job.id) ?? 0)) yield found;
      seenUs.delete(found.job.id);
    }
  } finally {
    leave();
  }
}
