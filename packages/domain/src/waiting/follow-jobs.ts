import type { Actor } from '../actor.ts';
import { getJob, type JobWithFiles, listChangedJobs } from '../jobs/get-job.ts';
import { type PositionContext, type WaitContext, withPosition } from './wait-for-job.ts';

type Follow = { actor: Actor; lastEventUs: number | undefined; signal: AbortSignal };
type FollowContext = WaitContext & PositionContext;

export type JobFollower = {
  /**
   * Yields an account's jobs as they change, starting with the changes after `lastEventUs`, until the signal aborts. An
   * older state never follows a newer one, and slow readers skip states.
   */
  follow: (follow: Follow) => Promise<AsyncGenerator<JobWithFiles>>;
};

/** Opens the reader of changed jobs. All followers of an account share its reads. */
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
        const missed = await listChangedJobs(ctx, { actor, lastEventUs });
        return followFrom(await Promise.all(missed.map((found) => withPosition(ctx, found))), { follower, leave });
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

type AccountReader = ReturnType<typeof openAccountReader>;

/** Reads each changed job of an account once, one at a time, for all of its followers. */
function openAccountReader(ctx: FollowContext, actor: Actor) {
  const followers = new Set<Follower>();
  const changed = new Set<string>();
  let reading = false;
  const readChanged = async () => {
    if (reading) return;
    reading = true;
    try {
      for (const id of changed) {
        changed.delete(id);
        const found = await withPosition(ctx, await getJob(ctx, { actor, id }));
        for (const follower of followers) follower.offer(found);
      }
    } catch (error) {
      for (const follower of followers) follower.fail(error);
    } finally {
      reading = false;
    }
  };
  const close = ctx.subscriber.subscribe(actor.accountId, ({ jobId }) => {
    changed.add(jobId);
    void readChanged();
  });
  return { followers, close };
}

type Follower = ReturnType<typeof makeFollower>;

/** Keeps the latest state of each job until the follower takes it. */
function makeFollower(signal: AbortSignal) {
  const latest = new Map<string, JobWithFiles>();
  let failure: { error: unknown } | undefined;
  let wake = () => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    offer: (found: JobWithFiles) => {
      latest.set(found.job.id, found);
      wake();
    },
    fail: (error: unknown) => {
      failure = { error };
      wake();
    },
    /** The state that waited longest; undefined once the signal has aborted. Throws the reader's error. */
    take: async (): Promise<JobWithFiles | undefined> => {
      while (latest.size === 0 && !failure && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure) throw failure.error;
      const [found] = signal.aborted ? [] : latest.values();
      if (found) latest.delete(found.job.id);
      return found;
    },
  };
}

async function* followFrom(
  missed: JobWithFiles[],
  { follower, leave }: { follower: Follower; leave: () => void },
): AsyncGenerator<JobWithFiles> {
  const seenUs = new Map(missed.map(({ job }) => [job.id, job.updatedUs]));
  try {
    yield* missed;
    for (let found = await follower.take(); found; found = await follower.take()) {
      // It may have been read before the missed jobs were.
      if (found.job.updatedUs >= (seenUs.get(found.job.id) ?? 0)) yield found;
      seenUs.delete(found.job.id);
    }
  } finally {
    leave();
  }
}
