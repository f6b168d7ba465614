import type { LucideIcon } from 'lucide-react';

export const paletteMessages = {
  title: 'Search pages and actions',
  search: 'Search pages and actions',
  none: 'No results',
  groups: { actions: 'Actions', pages: 'Pages', theme: 'Theme' },
  home: 'Home',
} as const;

/** A command of the palette: a page to open, or an action. `keys`: its shortcut. */
export type PaletteCommand = {
  id: string;
  group: keyof typeof paletteMessages.groups;
  label: string;
  icon: LucideIcon;
  keys?: string | undefined;
} & ({ to: string; run?: undefined } | { run: () => void; to?: undefined });
