import { useRef } from 'react';
import { focusContent, isFocusLost } from './is-focus-lost.ts';

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
