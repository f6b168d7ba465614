import { type RefObject, useEffect } from 'react';

/** Moves the focus to the first refused field of a form whenever there is another `fault`. */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>, fault: unknown): void {
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, fault]);
}
