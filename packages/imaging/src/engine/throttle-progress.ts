import type { Progress } from './stages.ts';

const intervalMs = 200;

/** Forward progress at most five times per second, and whenever the stage changes. Progress never decreases within a stage. */
export function throttleProgress(send: (progress: Progress) => void): (progress: Progress) => void {
  let last = { stage: '', done: -1, at: Number.NEGATIVE_INFINITY };
  return (progress) => {
    const isNewStage = progress.stage !== last.stage;
    const now = performance.now();
    if (progress.done <= last.done && !isNewStage) return;
    if (now - last.at < intervalMs && !isNewStage) return;
    last = { stage: progress.stage, done: progress.done, at: now };
    send(progress);
  };
}
