/** Texts of the command palette. */
export const paletteMessages = {
  title: 'Search pages and actions',
  search: 'Where to, or what to do',
  none: 'Nothing here has that name.',
  groups: { actions: 'Actions', pages: 'Pages', theme: 'Theme' },
  home: 'Start page',
} as const;
