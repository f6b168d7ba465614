import { useEffect, useRef, useState } from 'react';
import { type ShortcutId, shortcuts } from './shortcuts.ts';

type Handler = (event: KeyboardEvent) => void;

const stacks = new Map<ShortcutId, Handler[]>();

/** Adds a handler for a shortcut. Only the newest handler is called. Returns a function that removes it. */
export function addShortcutHandler(id: ShortcutId, handler: Handler): () => void {
  const stack = stacks.get(id) ?? [];
  stacks.set(id, [...stack, handler]);
  return () => {
    stacks.set(id, stacks.get(id)?.filter((other) => other !== handler) ?? []);
  };
}

/** Calls the handler of a shortcut. Without a handler, the browser's default action is kept. */
export function runShortcut(id: ShortcutId, event: KeyboardEvent): void {
  const handler = stacks.get(id)?.at(-1);
  if (!handler) return;
  event.preventDefault();
  handler(event);
}

export const canRunShortcut = (id: ShortcutId): boolean => (stacks.get(id)?.length ?? 0) > 0;

/** Runs the shortcut with these keys that currently has a handler. */
export function runShortcutByKeys(keys: string, event: KeyboardEvent): void {
  const shortcut = shortcuts.find((row) => row.keys === keys && canRunShortcut(row.id));
  if (shortcut) runShortcut(shortcut.id, event);
}

/** Triggers a shortcut without a key press. */
export const triggerShortcut = (id: ShortcutId): void =>
  runShortcut(id, new KeyboardEvent('keydown', { cancelable: true }));

/** Handles a shortcut while the component is mounted and `enabled`. */
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
