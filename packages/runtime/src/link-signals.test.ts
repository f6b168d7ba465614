import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { linkSignals } from './link-signals.ts';

it('aborts with the reason of the first source that aborts', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = linkSignals(first.signal, second.signal);
  expect(signal.aborted).toBe(false);
  second.abort('second');
  first.abort('first');
  expect(signal.reason).toBe('second');
});

it('is aborted if a source is', () => {
  expect(linkSignals(new AbortController().signal, AbortSignal.abort('before')).signal.reason).toBe('before');
});

it('leaves nothing in its sources when it is released', () => {
  const source = new AbortController();
  const { signal, release } = linkSignals(source.signal);
  release();
  expect(getEventListeners(source.signal, 'abort')).toEqual([]);
  source.abort();
  expect(signal.aborted).toBe(false);
});
