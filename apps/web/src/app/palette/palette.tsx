import { lazy, Suspense, useState } from 'react';
import { useShortcut } from '../../lib/shortcuts/use-shortcut.ts';

const SitePalette = lazy(async () => ({ default: (await import('./site-palette.tsx')).SitePalette }));

/** Opens the command palette on its shortcut, and loads its code then. */
export function Palette() {
  const [open, setOpen] = useState(false);
  useShortcut('palette', () => setOpen(true));
  return (
    open && (
      <Suspense>
        <SitePalette onClose={() => setOpen(false)} />
      </Suspense>
    )
  );
}
