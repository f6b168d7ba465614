import { tinykeys } from 'tinykeys';
import { takesLetters } from './is-typing.ts';
import { runShortcut } from './shortcut-handlers.ts';
import { shortcuts } from './shortcuts.ts';

const openLayer = ':is([role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"])[data-state="open"]';

/** A layer that is open has the keys for itself; so has a field, except for chords such as Ctrl+K. */
const isIgnored = (event: KeyboardEvent): boolean =>
  event.repeat ||
  event.isComposing ||
  (takesLetters(event.target) && !event.ctrlKey && !event.metaKey) ||
  document.querySelector(openLayer) !== null;

/** Answers the shortcuts of the table, with one listener: so that `g d` is not taken for `d` too. Returns a stop. */
export function listenToShortcuts(): () => void {
  const bindings = shortcuts.map(({ id, keys }) => [keys, (event: KeyboardEvent) => runShortcut(id, event)] as const);
  return tinykeys(window, Object.fromEntries(bindings), { ignore: isIgnored });
}
