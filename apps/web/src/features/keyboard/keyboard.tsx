import { lazy, Suspense, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { listenToShortcuts } from '../../lib/shortcuts/listen-to-shortcuts.ts';
import { useShortcut } from '../../lib/shortcuts/use-shortcut.ts';
import { paths } from '../../site-map.ts';
import { openShortcutSheet, useShortcutSheet } from './sheet-store.ts';

const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }));

/** Listens to all shortcuts, and handles those that work on every page. */
export function Keyboard({ signedIn }: { signedIn: boolean }) {
  const navigate = useNavigate();
  const { open } = useShortcutSheet();
  useEffect(listenToShortcuts, []);
  useShortcut('sheet', openShortcutSheet);
  useShortcut('home', () => void navigate(paths.home));
  useShortcut('dashboard', () => void navigate(paths.dashboard), signedIn);
  return (
    open && (
      <Suspense>
        <ShortcutSheet />
      </Suspense>
    )
  );
}
