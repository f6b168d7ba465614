/** Text of each documentation section by ID, see `vite-section-texts.ts`. */
declare module 'virtual:section-texts' {
  export const sectionTexts: Readonly<Record<string, string>>;
}
