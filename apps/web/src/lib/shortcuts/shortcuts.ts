export const keyboardMessages = {
  title: 'Keyboard shortcuts',
  note: 'Shortcuts are disabled while you type.',
  scopes: { everywhere: 'Everywhere', image: 'With an image', viewer: 'Comparison', table: 'Admin tables' },
} as const;

/**
 * All shortcuts in display order, with keys in tinykeys notation. `[Shift]+` marks a modifier that only some keyboards
 * need. Sequences come first, so that `g d` doesn't trigger `d`. Components bind shortcuts with `useShortcut`; Radix
 * handles Escape and F8, and table rows handle Enter. Two shortcuts may share a key if no page has both.
 */
const rows = [
  { id: 'palette', keys: '$mod+k', scope: 'everywhere', label: 'Search pages and actions' },
  { id: 'home', keys: 'g h', scope: 'everywhere', label: 'Go to home page' },
  { id: 'dashboard', keys: 'g d', scope: 'everywhere', label: 'Go to dashboard' },
  { id: 'sheet', keys: '[Shift]+?', scope: 'everywhere', label: 'Show keyboard shortcuts' },
  { id: 'toasts', keys: 'F8', scope: 'everywhere', label: 'Go to notification' },
  { id: 'close', keys: 'Escape', scope: 'everywhere', label: 'Close dialog or menu' },
  { id: 'upload', keys: 'u', scope: 'image', label: 'Choose image' },
  { id: 'process', keys: 'p', scope: 'image', label: 'Process image' },
  { id: 'download', keys: 'd', scope: 'image', label: 'Download result' },
  { id: 'zoomIn', keys: '[Shift]++', scope: 'viewer', label: 'Zoom in' },
  { id: 'zoomOut', keys: '-', scope: 'viewer', label: 'Zoom out' },
  { id: 'fit', keys: '0', scope: 'viewer', label: 'Fit image to view' },
  { id: 'actual', keys: '1', scope: 'viewer', label: 'Zoom to 100%' },
  { id: 'panLeft', keys: 'Shift+ArrowLeft', scope: 'viewer', label: 'Move view left' },
  { id: 'panRight', keys: 'Shift+ArrowRight', scope: 'viewer', label: 'Move view right' },
  { id: 'panUp', keys: 'Shift+ArrowUp', scope: 'viewer', label: 'Move view up' },
  { id: 'panDown', keys: 'Shift+ArrowDown', scope: 'viewer', label: 'Move view down' },
  { id: 'compare', keys: 'o', scope: 'viewer', label: 'Hold to show original' },
  { id: 'difference', keys: 'x', scope: 'viewer', label: 'Show difference' },
  { id: 'tableSearch', keys: '/', scope: 'table', label: 'Search' },
  { id: 'tableNext', keys: 'j', scope: 'table', label: 'Next row' },
  { id: 'tablePrevious', keys: 'k', scope: 'table', label: 'Previous row' },
  { id: 'tableOpen', keys: 'Enter', scope: 'table', label: 'Open row' },
  { id: 'tableSelect', keys: 'x', scope: 'table', label: 'Select row' },
  { id: 'tableExport', keys: 'e', scope: 'table', label: 'Export CSV' },
] as const;

export type ShortcutId = (typeof rows)[number]['id'];
export type Shortcut = { id: ShortcutId; keys: string; scope: keyof typeof keyboardMessages.scopes; label: string };

export const shortcuts: readonly Shortcut[] = rows;
