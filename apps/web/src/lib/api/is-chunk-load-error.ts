const patterns = [
  /dynamically imported module/i, // Chromium, Firefox
  /importing a module script failed/i, // Safari
  /unable to preload css/i, // Vite
];

/** Whether an error is a failed dynamic import: the browser is offline, or a newer version was deployed. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && patterns.some((saying) => saying.test(error.message));
