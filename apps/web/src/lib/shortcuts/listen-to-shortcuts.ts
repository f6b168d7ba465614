import { tinykeys } from 'tinykeys';
import { usesLetterKeys } from './is-typing.ts';
import { runShortcut } from './shortcut-handlers.ts';
import { shortcuts } from './shortcuts.ts';

const openLayer = ':is([role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"])[data-state="open"]';

/** Open layers and text fields receive all keys, except chords such as Ctrl+K in fields. */
const isIgnored = (event: KeyboardEvent): boolean =>
  event.repeat ||
  event.isComposing ||
  (usesLetterKeys(event.target) && !event.ctrlKey && !event.metaKey) ||
  document.querySelector(openLayer) !== null;

/** Listens to all shortcuts with one listener, so that `g d` does not trigger `d`. Returns a function that stops it. */
export function listenToShortcuts(): () => void {
  const bindings = shortcuts.map(({ id, keys }) => [keys, (event: KeyboardEvent) => runShortcut(id, event)] as const);
  return tinykeys(window, Object.fromEntries(bindings), { ignore: isIgnored });
}
