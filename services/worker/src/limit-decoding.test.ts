import { decodeLimitMs } from '@uprez/imaging/pipeline/estimate';
import { smallPipeline } from '@uprez/testing/make-job';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limitDecoding } from './limit-decoding.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A child that has used CPU time before, and uses more in each run. */
function open() {
  let cpuMs = 5_000_000;
  const kill = vi.fn();
  const limit = limitDecoding({ cpuMs: () => cpuMs, kill }, smallPipeline);
  const use = (ms: number) => {
    cpuMs += ms;
    vi.advanceTimersByTime(1_000);
  };
  return { kill, use, ...limit };
}

it('kills a child that decodes for longer than the limit', () => {
  const { kill, use, onStage } = open();
  onStage('decode');
  use(decodeLimitMs(smallPipeline));
  expect(kill).not.toHaveBeenCalled();
  use(1);
  expect(kill).toHaveBeenCalledWith('image_too_complex');
});

it.each(['the next stage', 'the end'])('limits no CPU time after %s', (what) => {
  const { kill, use, onStage, stop } = open();
  if (what === 'the end') stop();
  else onStage('encode');
  use(2 * decodeLimitMs(smallPipeline));
  expect(kill).not.toHaveBeenCalled();
});
