/** Focuses the first field with invalid input. Returns false if all fields are valid. */
export function focusInvalidField(place: ParentNode | null): boolean {
  const field = place?.querySelector<HTMLInputElement>('input:invalid');
  field?.focus();
  return field instanceof HTMLElement;
}
