import type { LucideIcon } from 'lucide-react';
import type { paletteMessages } from './messages.ts';

/** Something that the palette offers: a page to go to, or something to do. `keys`: its shortcut. */
export type PaletteCommand = {
  id: string;
  group: keyof typeof paletteMessages.groups;
  label: string;
  icon: LucideIcon;
  keys?: string | undefined;
} & ({ to: string; run?: undefined } | { run: () => void; to?: undefined });
