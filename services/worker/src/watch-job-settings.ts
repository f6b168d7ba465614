import { isDrained } from '@uprez/contracts/schemas/job-settings';
import { readJobSettings } from '@uprez/db/queries/jobs/job-settings';
import { repeat } from '@uprez/runtime/repeat';
import type { openJobConsumer } from './consumer.ts';
import type { Deps } from './deps.ts';

const watchMs = 500;

/**
 * Reads the paused engines and drained workers twice a second. Whenever they change, the free slots look for jobs:
 * the messages of jobs that waited may be gone. A drained worker takes no messages, which others need. `mayClaim`: whether the
 * worker is known not to be drained.
 */
export function watchJobSettings(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  consumer: Pick<ReturnType<typeof openJobConsumer>, 'claimAll' | 'setPaused'>,
): { mayClaim: () => boolean; close: () => Promise<void> } {
  let known: string | undefined;
  let isPaused = false;
  const read = async () => {
    const settings = await readJobSettings(db);
    const text = JSON.stringify(settings);
    const isFirst = known === undefined;
    if (text === known) return;
    const drained = isDrained(settings, config.WORKER_NAME);
    if (drained !== isPaused) await consumer.setPaused(drained);
    if (drained !== isPaused) log.info({ name: config.WORKER_NAME }, drained ? 'worker drained' : 'worker resumed');
    isPaused = drained;
    known = text;
    if (!isFirst && !drained) consumer.claimAll();
  };
  const watching = repeat(watchMs, read, (error) => log.warn({ err: error }, 'reading job settings failed'));
  return { mayClaim: () => known !== undefined && !isPaused, close: watching.close };
}
