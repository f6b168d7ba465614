/** Whether no control has the focus: the focused control was removed, or the focus is on the whole page. */
export function isFocusLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.matches('main');
}

/** Focuses the content of the page, where the next Tab continues. */
export const focusContent = () => document.querySelector('main')?.focus({ preventScroll: true });
