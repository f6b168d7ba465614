import { useRef } from 'react';

/** What has the focus; in a menu, which is gone by the time that it matters, the button that opened it. */
function focused(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role="menu"]');
  const button = menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`);
  const element = button ?? active;
  return element instanceof HTMLElement ? element : null;
}

/** For layers that are opened by state and not by a trigger of their own: where the focus was is where it returns. */
export function useReturnFocus() {
  const opener = useRef<HTMLElement>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = focused();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      opener.current?.focus({ preventScroll: true });
    },
  };
}
