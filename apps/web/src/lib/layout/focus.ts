import { type RefObject, useEffect, useRef } from 'react';

/** Returns a ref for the element to focus when `change` changes and the focused element has been removed. */
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

/** Focuses the main content. The next Tab press continues from its start. */
export const focusContent = () => document.querySelector('main')?.focus({ preventScroll: true });

/**
 * Returns a ref for an element that is focused on mount, unless `isWanted` is false. Later changes to `isWanted` have
 * no effect.
 */
export function useFocusOnMount<E extends HTMLElement>(isWanted = true): RefObject<E | null> {
  const ref = useRef<E>(null);
  const shouldFocusOnMount = useRef(isWanted);
  useEffect(() => {
    if (shouldFocusOnMount.current) ref.current?.focus({ preventScroll: true });
  }, []);
  return ref;
}

/** Returns the focused element. If it is a menu item, returns the menu's button instead, because the menu closes. */
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
      // The element that opened the dialog was removed.
      else if (isFocusLost()) focusContent();
    },
  };
}
