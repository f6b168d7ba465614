/** How browsers say that a file of code, or its styles, did not come. */
const sayings = [
  /dynamically imported module/i, // Chromium, Firefox
  /importing a module script failed/i, // Safari
  /unable to preload css/i, // Vite
];

/** Whether something failed because its code did not come: no network, or a newer version of the site. */
export const isLoadFault = (error: unknown): boolean =>
  error instanceof Error && sayings.some((saying) => saying.test(error.message));
