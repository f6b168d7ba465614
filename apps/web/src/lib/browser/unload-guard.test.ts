import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearUnloadGuards, isUnloadGuarded, setUnloadGuard } from './unload-guard.ts';

const page = new EventTarget();
/** Whether the browser would ask before leaving. */
const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

beforeEach(() => void vi.stubGlobal('window', page));
afterEach(() => {
  clearUnloadGuards();
  vi.unstubAllGlobals();
});

it('asks while at least one reason is active', () => {
  expect([isUnloadGuarded(), asks()]).toEqual([false, false]);
  setUnloadGuard('upload', true);
  setUnloadGuard('upload', true);
  setUnloadGuard('secret', true);
  setUnloadGuard('upload', false);
  expect([isUnloadGuarded(), asks()]).toEqual([true, true]);
  setUnloadGuard('secret', false);
  expect([isUnloadGuarded(), asks()]).toEqual([false, false]);
});

it('does not ask after all reasons are cleared', () => {
  setUnloadGuard('upload', true);
  clearUnloadGuards();
  expect([isUnloadGuarded(), asks()]).toEqual([false, false]);
});
