import { expect, it } from 'vitest';
import { type Progress, throttleProgress } from './stages.ts';

it('forwards each new stage, throttles its progress, and never decreases', () => {
  const told: Progress[] = [];
  const report = throttleProgress((progress) => told.push(progress));
  for (let done = 0; done < 500; done++) report({ stage: 'enlarge', done, total: 1_000 });
  report({ stage: 'encode', done: 500, total: 1_000 });
  report({ stage: 'encode', done: 400, total: 1_000 });
  expect(told[0]).toEqual({ stage: 'enlarge', done: 0, total: 1_000 });
  expect(told.at(-1)).toEqual({ stage: 'encode', done: 500, total: 1_000 });
  expect(told.length).toBeLessThan(10);
});
