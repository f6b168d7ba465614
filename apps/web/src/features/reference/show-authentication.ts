/** Scrolls to the fields of Scalar's introduction that take the API key. Focuses its value, if Scalar shows one. */
export function showAuthentication(): void {
  const place = document.querySelector('.scalar-reference-intro-auth');
  place?.scrollIntoView({ block: 'center' });
  place?.querySelector('input')?.focus({ preventScroll: true });
}
