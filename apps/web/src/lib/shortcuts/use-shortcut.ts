import { useEffect, useRef, useState } from 'react';
import { addShortcutHandler } from './shortcut-handlers.ts';
import type { ShortcutId } from './shortcuts.ts';

/**
 * Handles a shortcut while the component is mounted and `enabled`. Shortcuts are inactive in text fields and open
 * layers.
 */
export function useShortcut(id: ShortcutId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    if (enabled) return addShortcutHandler(id, (event) => latest.current(event));
  }, [id, enabled]);
}

export function useHeldShortcut(id: ShortcutId, enabled = true): boolean {
  const [held, setHeld] = useState(false);
  useShortcut(id, () => setHeld(true), enabled);
  useEffect(() => {
    if (!held) return;
    const release = () => setHeld(false);
    window.addEventListener('keyup', release);
    window.addEventListener('blur', release);
    return () => {
      window.removeEventListener('keyup', release);
      window.removeEventListener('blur', release);
    };
  }, [held]);
  return held && enabled;
}
