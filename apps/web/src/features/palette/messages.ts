/** Texts of the command palette. */
export const paletteMessages = {
  title: 'Search pages and actions',
  search: 'Search pages and actions',
  none: 'No results',
  groups: { actions: 'Actions', pages: 'Pages', theme: 'Theme' },
  home: 'Home',
} as const;
