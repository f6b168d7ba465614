import type { LucideIcon } from 'lucide-react';
import type { paletteMessages } from './messages.ts';

/** A command of the palette: a page to open, or an action. `keys`: its shortcut. */
export type PaletteCommand = {
  id: string;
  group: keyof typeof paletteMessages.groups;
  label: string;
  icon: LucideIcon;
  keys?: string | undefined;
} & ({ to: string; run?: undefined } | { run: () => void; to?: undefined });
