import { computeDecodeLimitMs } from '@uprez/imaging/pipeline/estimate';
import { smallPipeline } from '@uprez/testing/make-job';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitDecoding, makeSpeedTracker } from './slot.ts';

describe('the limit on decoding', () => {
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
    use(computeDecodeLimitMs(smallPipeline));
    expect(kill).not.toHaveBeenCalled();
    use(1);
    expect(kill).toHaveBeenCalledWith('image_too_complex');
  });

  it.each(['the next stage', 'the end'])('limits no CPU time after %s', (what) => {
    const { kill, use, onStage, stop } = open();
    if (what === 'the end') stop();
    else onStage('encode');
    use(2 * computeDecodeLimitMs(smallPipeline));
    expect(kill).not.toHaveBeenCalled();
  });
});

describe('the speed of a model', () => {
  const noStrips = { strip: null, strips: 0, bands: 0 };
  const run = {
    engine: 'photo-fast',
    tile: { core: 76, overlap: 12, fade: 0 },
    tiles: 10,
    strip: null,
    strips: 0,
    bands: 0,
    variant: 'int8',
    stagesMs: { enlarge: 1_000 },
  } as const;

  it('returns a running mean of the input pixels per second, overlap included', () => {
    const speeds = makeSpeedTracker();
    expect(speeds.get('photo-fast')).toBeUndefined();
    speeds.add(run, noStrips);
    expect(speeds.get('photo-fast')).toBe(100_000);
    speeds.add({ ...run, stagesMs: { enlarge: 2_000 } }, noStrips);
    expect(speeds.get('photo-fast')).toBe(85_000);
  });

  it('counts the pixels of strips', () => {
    const speeds = makeSpeedTracker();
    const strips = { tile: null, tiles: 0, strips: 20, bands: 1 };
    const strip = { rows: 16, width: 1_000, border: 34, lag: 20 };
    speeds.add({ ...run, ...strips, strip, stagesMs: { enlarge: 2_000 } }, { ...strips, strip });
    expect(speeds.get('photo-fast')).toBe(150_000);
    speeds.add({ ...run, ...strips, strip, strips: 3 }, { ...strips, strip });
    expect(speeds.get('photo-fast')).toBe(150_000);
  });

  it('ignores runs with few tiles or without a model', () => {
    const speeds = makeSpeedTracker();
    speeds.add({ ...run, tiles: 3 }, noStrips);
    speeds.add({ ...run, engine: 'standard' }, noStrips);
    expect(speeds.get('photo-fast')).toBeUndefined();
  });

  it('counts the strips of the pipeline of models that run in tiles, but not those of drawings', () => {
    const speeds = makeSpeedTracker();
    const pipeline = { strip: { rows: 16, width: 1_000, border: 34, lag: 20 }, strips: 20, bands: 1 };
    speeds.add(run, pipeline);
    expect(speeds.get('photo-fast')).toBeUndefined();
    speeds.add({ ...run, variant: 'fp32' }, pipeline);
    expect(speeds.get('photo-fast')).toBe(300_000);
  });
});
