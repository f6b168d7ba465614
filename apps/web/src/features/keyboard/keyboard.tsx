import { lazy, Suspense, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { tinykeys } from 'tinykeys';
import { create } from 'zustand';
import { usesLetterKeys } from '../../lib/shortcuts/is-typing.ts';
import { keyboardMessages, shortcuts } from '../../lib/shortcuts/shortcuts.ts';
import { runKeys, useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { paths } from '../../site-map.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/controls/kbd.tsx';

const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }));

const useShortcutSheet = create(() => ({ open: false }));
const openSheet = () => useShortcutSheet.setState({ open: true });
const closeSheet = () => useShortcutSheet.setState({ open: false });

const openLayer = ':is([role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"])[data-state="open"]';

/** Open layers and text fields receive all keys, except chords such as Ctrl+K in fields. */
const isIgnored = (event: KeyboardEvent): boolean =>
  event.repeat ||
  event.isComposing ||
  (usesLetterKeys(event.target) && !event.ctrlKey && !event.metaKey) ||
  document.querySelector(openLayer) !== null;

/** Listens to all shortcuts with one listener, so that `g d` does not trigger `d`. Returns a function that stops it. */
function listenToShortcuts(): () => void {
  const bindings = shortcuts.map(({ keys }) => [keys, (event: KeyboardEvent) => runKeys(keys, event)] as const);
  return tinykeys(window, Object.fromEntries(bindings), { ignore: isIgnored });
}

/** Listens to all shortcuts, and handles those that work on every page. */
export function Keyboard({ signedIn }: { signedIn: boolean }) {
  const navigate = useNavigate();
  const { open } = useShortcutSheet();
  useEffect(listenToShortcuts, []);
  useShortcut('sheet', openSheet);
  useShortcut('home', () => void navigate(paths.home));
  useShortcut('dashboard', () => void navigate(paths.dashboard), signedIn);
  return (
    open && (
      <Suspense>
        <ShortcutSheet onClose={closeSheet} />
      </Suspense>
    )
  );
}

/** Opens the list of shortcuts. Hidden on touch screens. Negative margins align its text with the links beside it. */
export function ShortcutHint() {
  return (
    <Button look="ghost" className="-mx-4 text-muted pointer-coarse:hidden" onClick={openSheet}>
      {keyboardMessages.title}
      <Kbd keys="[Shift]+?" />
    </Button>
  );
}
