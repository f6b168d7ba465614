import { type RefObject, useEffect } from 'react';

/** Moves the focus to the first refused field of a form whenever there is another `fault`; typing replaces what it says. */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>, fault: unknown): void {
  useEffect(() => {
    if (!fault) return;
    const field = form.current?.querySelector<HTMLInputElement>('input[aria-invalid="true"]');
    field?.focus();
    field?.select();
  }, [form, fault]);
}
