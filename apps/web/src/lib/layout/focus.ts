import { type RefObject, useEffect, useRef } from 'react';

/** Returns the ref of an element that is focused when `change` changes and the focused element was removed. */
export function useFocusFallback<E extends HTMLElement>(change: string): RefObject<E | null> {
  const ref = useRef<E>(null);
  const before = useRef(change);
  useEffect(() => {
    if (before.current !== change && isFocusLost()) ref.current?.focus({ preventScroll: true });
    before.current = change;
  }, [change]);
  return ref;
}

/** Whether no control has the focus: the focused control was removed, or the focus is on the whole page. */
export function isFocusLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.matches('main');
}

/** Focuses the content of the page, where the next Tab continues. */
export const focusContent = () => document.querySelector('main')?.focus({ preventScroll: true });

/**
 * Returns the ref of an element that is focused on mount. `isWanted`: whether to focus it. Changes after the mount have
 * no effect.
 */
export function useFocusOnMount<E extends HTMLElement>(isWanted = true): RefObject<E | null> {
  const ref = useRef<E>(null);
  const isFirst = useRef(isWanted);
  useEffect(() => {
    if (isFirst.current) ref.current?.focus({ preventScroll: true });
  }, []);
  return ref;
}

/** Returns the focused element, or the menu's button if a menu item is focused, because the menu closes. */
function findFocusedElement(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role="menu"]');
  const button = menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`);
  const element = button ?? active;
  return element instanceof HTMLElement ? element : null;
}

/**
 * Returns handlers that restore the focus to the element that had it before a layer opened. For layers without a
 * trigger.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = findFocusedElement();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current?.isConnected && opener.current !== document.body)
        opener.current.focus({ preventScroll: true });
      // The dialog removed what had opened it.
      else if (isFocusLost()) focusContent();
    },
  };
}
