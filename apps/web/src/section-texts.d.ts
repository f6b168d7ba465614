/** The text of each place of the documentation by its ID, see `vite-section-texts.ts`. */
declare module 'virtual:section-texts' {
  export const sectionTexts: Readonly<Record<string, string>>;
}
