import type { ShortcutId } from './shortcuts.ts';

type Handler = (event: KeyboardEvent) => void;

const stacks = new Map<ShortcutId, Handler[]>();

/** Let `handler` answer to a shortcut until the returned stop; of several the newest answers. */
export function addShortcutHandler(id: ShortcutId, handler: Handler): () => void {
  const stack = stacks.get(id) ?? [];
  stacks.set(id, [...stack, handler]);
  return () => {
    stacks.set(id, stacks.get(id)?.filter((other) => other !== handler) ?? []);
  };
}

/** Have a shortcut answered; the browser's own meaning of the keys stays where nobody answers. */
export function runShortcut(id: ShortcutId, event: KeyboardEvent): void {
  const handler = stacks.get(id)?.at(-1);
  if (!handler) return;
  event.preventDefault();
  handler(event);
}

/** Whether somebody answers a shortcut now. */
export const canRunShortcut = (id: ShortcutId): boolean => (stacks.get(id)?.length ?? 0) > 0;

/** Have a shortcut answered as if its keys had been pressed. */
export const pressShortcut = (id: ShortcutId): void =>
  runShortcut(id, new KeyboardEvent('keydown', { cancelable: true }));
