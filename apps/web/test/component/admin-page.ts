import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { SignedIn } from '@uprez/testing/sign-up';
import { fill } from './open-page.tsx';

type Shown = Pick<typeof screen, 'getByRole'>;

const findEnabled = (shown: Shown, role: string, name: string | RegExp): Promise<HTMLElement> =>
  waitFor(() => {
    const found = shown.getByRole(role, { name });
    if (found.getAttribute('aria-disabled') === 'true' || found.hasAttribute('disabled'))
      throw new Error(`${name} is disabled`);
    return found;
  });

/** Chooses an option of a select once the select is enabled. */
export async function chooseOption(user: UserEvent, select: string, option: string): Promise<void> {
  await user.click(await findEnabled(screen, 'combobox', select));
  await user.click(await screen.findByRole('option', { name: option }));
}

/** Clicks the button with this name once it is enabled. */
export async function press(user: UserEvent, button: string | RegExp, container?: HTMLElement): Promise<void> {
  await user.click(await findEnabled(container ? within(container) : screen, 'button', button));
}

/** Enters the password of an administrator in the dialog that asks for it. */
export async function confirmIdentity(user: UserEvent, { password }: SignedIn): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: "Confirm it's you" });
  await fill(user, within(dialog).getByLabelText('Current password'), password);
  await press(user, 'Confirm', dialog);
}

const listRows = () => [...document.querySelectorAll<HTMLElement>('tbody tr')];

/** Waits for a table row that contains a text. */
export const findRow = (text: string): Promise<HTMLElement> =>
  waitFor(() => {
    const row = listRows().find(({ textContent }) => textContent.includes(text));
    if (!row) throw new Error(`No row contains ${text}`);
    return row;
  });

/** Waits until the tables on the page have `count` rows in total. */
export const waitForRows = (count: number): Promise<void> =>
  waitFor(() => {
    const { length } = listRows();
    if (length !== count) throw new Error(`${length} rows instead of ${count}`);
  });

export const textsOf = (elements: Iterable<Element>): (string | null)[] =>
  Array.from(elements, ({ textContent }) => textContent);
