import { expect, it, vi } from 'vitest';
import { addShortcutHandler, runShortcut, runShortcutByKeys } from './use-shortcut.ts';

const press = () => ({ preventDefault: vi.fn() }) as unknown as KeyboardEvent;

it('calls the newest handler, and the previous one after its removal', () => {
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

it("prevents the browser's default action only with a handler", () => {
  const [unanswered, answered] = [press(), press()];
  runShortcut('process', unanswered);
  expect(unanswered.preventDefault).not.toHaveBeenCalled();
  const stop = addShortcutHandler('process', () => {});
  runShortcut('process', answered);
  expect(answered.preventDefault).toHaveBeenCalledOnce();
  stop();
});

it('runs the shortcut that is handled, of two with the same key', () => {
  const [difference, select] = [vi.fn(), vi.fn()];
  const stop = addShortcutHandler('tableSelect', select);
  runShortcutByKeys('x', press());
  expect([difference, select].map((handler) => handler.mock.calls.length)).toEqual([0, 1]);
  stop();
  const stopDifference = addShortcutHandler('difference', difference);
  runShortcutByKeys('x', press());
  expect([difference, select].map((handler) => handler.mock.calls.length)).toEqual([1, 1]);
  stopDifference();
});

it('leaves Enter to the browser', () => {
  const event = press();
  runShortcutByKeys('Enter', event);
  expect(event.preventDefault).not.toHaveBeenCalled();
});
