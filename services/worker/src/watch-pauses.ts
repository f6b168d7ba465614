import { isDrained } from '@uprez/contracts/schemas/job-settings';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { repeat } from '@uprez/runtime/repeat';
import type { openJobConsumer } from './consumer.ts';
import type { Deps } from './deps.ts';

const watchMs = 500;

type Watched = {
  consumer: Pick<ReturnType<typeof openJobConsumer>, 'claimAll' | 'setPaused'>;
  /** Throws while a disk is full, or its folder can't be read. */
  checkDisk: () => Promise<void>;
};

/**
 * Reads the paused engines and drained workers twice a second. Whenever they change, the free slots look for jobs: the
 * messages of jobs that waited may be gone. A worker that is drained or has a full disk takes no messages and no jobs, which
 * others need. `mayClaim`: whether the worker is known to take jobs.
 */
export function watchPauses(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  { consumer, checkDisk }: Watched,
): { mayClaim: () => boolean; close: () => Promise<void> } {
  let known: string | undefined;
  let pausedFor: string | undefined;
  const read = async () => {
    const settings = await readJobSettings(db);
    const reason = isDrained(settings, config.WORKER_NAME)
      ? 'drained'
      : await checkDisk().then(
          () => undefined,
          () => 'disk',
        );
    const text = JSON.stringify(settings);
    const isFirst = known === undefined;
    if (text === known && reason === pausedFor) return;
    if (reason !== pausedFor) {
      consumer.setPaused(reason !== undefined);
      log.info({ name: config.WORKER_NAME, reason }, reason === undefined ? 'worker resumed' : 'worker paused');
    }
    pausedFor = reason;
    known = text;
    if (!isFirst && reason === undefined) consumer.claimAll();
  };
  const watching = repeat(watchMs, read, (error) => log.warn({ err: error }, 'reading job settings failed'));
  return { mayClaim: () => known !== undefined && pausedFor === undefined, close: watching.close };
}
