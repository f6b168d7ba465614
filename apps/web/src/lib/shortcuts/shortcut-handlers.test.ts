import { expect, it, vi } from 'vitest';
import { addShortcutHandler, runShortcut } from './shortcut-handlers.ts';

const press = () => ({ preventDefault: vi.fn() }) as unknown as KeyboardEvent;

it('asks the newest handler, and the one before when that is gone', () => {
  const [older, newer] = [vi.fn(), vi.fn()];
  const stopOlder = addShortcutHandler('upload', older);
  const stopNewer = addShortcutHandler('upload', newer);
  runShortcut('upload', press());
  expect([older, newer].map((handler) => handler.mock.calls.length)).toEqual([0, 1]);
  stopNewer();
  runShortcut('upload', press());
  expect([older, newer].map((handler) => handler.mock.calls.length)).toEqual([1, 1]);
  stopOlder();
});

it('takes the keys from the browser only where somebody answers', () => {
  const [unanswered, answered] = [press(), press()];
  runShortcut('process', unanswered);
  expect(unanswered.preventDefault).not.toHaveBeenCalled();
  const stop = addShortcutHandler('process', () => {});
  runShortcut('process', answered);
  expect(answered.preventDefault).toHaveBeenCalledOnce();
  stop();
});
