/** Highlighted code examples as modules; see `vite-highlight.ts`. */
declare module '*?code' {
  export const lines: readonly (readonly (readonly [text: string, kind?: string])[])[];
}
