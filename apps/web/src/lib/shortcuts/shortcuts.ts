import { keyboardMessages } from './messages.ts';

const { labels } = keyboardMessages;

type Scope = keyof typeof keyboardMessages.scopes;
type ShortcutRow = { id: keyof typeof labels; keys: string; scope: Scope };

/**
 * All shortcuts, in the order of the list, with keys in the notation of tinykeys. `[Shift]+` marks a key that only some
 * keyboards need. Sequences come first, so that `g d` does not trigger `d`. Components bind them with `useShortcut`;
 * Escape and F8 are handled by Radix.
 */
const rows = [
  { id: 'palette', keys: '$mod+k', scope: 'everywhere' },
  { id: 'home', keys: 'g h', scope: 'everywhere' },
  { id: 'dashboard', keys: 'g d', scope: 'everywhere' },
  { id: 'sheet', keys: '[Shift]+?', scope: 'everywhere' },
  { id: 'toasts', keys: 'F8', scope: 'everywhere' },
  { id: 'close', keys: 'Escape', scope: 'everywhere' },
  { id: 'upload', keys: 'u', scope: 'image' },
  { id: 'process', keys: 'p', scope: 'image' },
  { id: 'download', keys: 'd', scope: 'image' },
  { id: 'zoomIn', keys: '[Shift]++', scope: 'viewer' },
  { id: 'zoomOut', keys: '-', scope: 'viewer' },
  { id: 'fit', keys: '0', scope: 'viewer' },
  { id: 'actual', keys: '1', scope: 'viewer' },
  { id: 'compare', keys: 'o', scope: 'viewer' },
] as const satisfies readonly ShortcutRow[];

export type ShortcutId = (typeof rows)[number]['id'];
export type Shortcut = { id: ShortcutId; keys: string; scope: Scope; label: string };

export const shortcuts: readonly Shortcut[] = rows.map((row) => ({ ...row, label: labels[row.id] }));
