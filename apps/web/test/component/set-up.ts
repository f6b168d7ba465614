import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { speedUpComputedStyles } from './computed-style.ts';
import { clearIntercepts } from './intercept.ts';

/** A stream without events. Tests of live numbers need a browser. */
class SilentEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  close(): void {
    this.readyState = SilentEventSource.CLOSED;
  }
}
Object.assign(globalThis, { EventSource: SilentEventSource });

// happy-dom has none, and tests have one tab.
const locks = {
  request: async (name: string, ...rest: unknown[]) => (rest.at(-1) as (lock: object) => unknown)({ name }),
  query: async () => ({ held: [] }),
};
Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });

// happy-dom lists no rows of the body of a table.
Object.defineProperty(HTMLTableSectionElement.prototype, 'rows', {
  get(this: HTMLTableSectionElement) {
    return this.querySelectorAll('tr');
  },
  configurable: true,
});

// The rules of the stylesheet that names and visibility depend on.
const style = document.createElement('style');
style.textContent = '.hidden { display: none } .invisible { visibility: hidden }';
document.head.append(style);
speedUpComputedStyles();

// Of the end, where dialogs and toasts are.
const shownCharacters = 2_000;
configure({
  // As long as other waits of tests: a busy machine may stand still.
  asyncUtilTimeout: 60_000,
  // The error of each attempt would take a tenth of the time with all elements of the page, and say less.
  getElementError: (message, container) => new Error(`${message}\n\n${container.textContent.slice(-shownCharacters)}`),
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearIntercepts();
});
