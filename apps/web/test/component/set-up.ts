import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { speedUpComputedStyles } from './computed-style.ts';
import { clearIntercepts } from './intercept.ts';

/** A stream without events. Live numbers are tested in a browser instead. */
class SilentEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  close(): void {
    this.readyState = SilentEventSource.CLOSED;
  }
}
Object.assign(globalThis, { EventSource: SilentEventSource });

/** A worker that never replies. happy-dom has none. */
class SilentWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}
Object.assign(globalThis, { Worker: SilentWorker });

// happy-dom has no Web Locks API. Tests have one tab, so every lock is granted.
const locks = {
  request: async (name: string, ...rest: unknown[]) => (rest.at(-1) as (lock: object) => unknown)({ name }),
  query: async () => ({ held: [] }),
};
Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });

// happy-dom doesn't list the rows of a table body.
Object.defineProperty(HTMLTableSectionElement.prototype, 'rows', {
  get(this: HTMLTableSectionElement) {
    return this.querySelectorAll('tr');
  },
  configurable: true,
});

// The style sheet rules that accessible names and visibility depend on.
const style = document.createElement('style');
style.textContent = '.hidden { display: none } .invisible { visibility: hidden }';
document.head.append(style);
speedUpComputedStyles();

// Number of characters that errors show from the end of the page's text, where dialogs and toasts are.
const shownCharacters = 2_000;
configure({
  // The same as other waits in tests, because a busy machine may stall.
  asyncUtilTimeout: 60_000,
  // The default error lists all elements of the page. Creating it for each attempt would take a tenth of the time, and
  // it is less helpful than the text.
  getElementError: (message, container) => new Error(`${message}\n\n${container.textContent.slice(-shownCharacters)}`),
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearIntercepts();
});
