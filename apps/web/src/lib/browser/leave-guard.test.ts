import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdPage, isPageHeld, releasePage } from './leave-guard.ts';

const page = new EventTarget();
/** Whether the browser would ask before leaving. */
const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

beforeEach(() => void vi.stubGlobal('window', page));
afterEach(() => {
  releasePage();
  vi.unstubAllGlobals();
});

it('asks while there is a reason, whichever went first', () => {
  expect([isPageHeld(), asks()]).toEqual([false, false]);
  holdPage('upload', true);
  holdPage('upload', true);
  holdPage('secret', true);
  holdPage('upload', false);
  expect([isPageHeld(), asks()]).toEqual([true, true]);
  holdPage('secret', false);
  expect([isPageHeld(), asks()]).toEqual([false, false]);
});

it('asks no more once it was answered', () => {
  holdPage('upload', true);
  releasePage();
  expect([isPageHeld(), asks()]).toEqual([false, false]);
});
