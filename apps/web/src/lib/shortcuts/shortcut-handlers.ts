import type { ShortcutId } from './shortcuts.ts';

type Handler = (event: KeyboardEvent) => void;

const stacks = new Map<ShortcutId, Handler[]>();

/** Adds a handler for a shortcut; the newest one is called. Returns a function that removes it. */
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

/** Triggers a shortcut without a key press. */
export const triggerShortcut = (id: ShortcutId): void =>
  runShortcut(id, new KeyboardEvent('keydown', { cancelable: true }));
