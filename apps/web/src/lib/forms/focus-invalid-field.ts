/** Focuses the first field with invalid input. Returns whether there is one. */
export function focusInvalidField(place: ParentNode | null): boolean {
  const field = place?.querySelector<HTMLInputElement>('input:invalid');
  field?.focus();
  return field instanceof HTMLElement;
}
