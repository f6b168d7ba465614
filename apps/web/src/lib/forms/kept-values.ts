/** Fields that are never stored. */
const secretNamePattern = /password|secret|token|^code$/i;

/** Whether a field contains a secret, by its name. */
export const isSecretField = (name: string): boolean => secretNamePattern.test(name);

type Values = Record<string, unknown>;

/** Returns the storage key of a form on this page, which includes the names of its fields. */
const nameOf = (defaults: Values) =>
  `uprez.form.${window.location.pathname}.${Object.keys(defaults).toSorted().join()}`;

const isStorable = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function ignoreErrors<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    // The browser denies storage, or the entry is of another version.
    return undefined;
  }
}

/**
 * Stores a form's changed values in this tab, except secrets, for the user who typed them, until the form is opened
 * again.
 */
export function keepValues(userId: string, defaults: Values, values: Values): void {
  const changed = Object.entries(values).filter(
    ([name, value]) => isStorable(value) && value !== (defaults[name] ?? '') && !isSecretField(name),
  );
  if (changed.length === 0) return;
  const entry = JSON.stringify({ userId, values: Object.fromEntries(changed) });
  ignoreErrors(() => sessionStorage.setItem(nameOf(defaults), entry));
}

/** Returns and removes the values that this user changed in a form before the session ended. */
export function takeValues(userId: string, defaults: Values): Values {
  return (
    ignoreErrors(() => {
      const entry = JSON.parse(sessionStorage.getItem(nameOf(defaults)) ?? 'null');
      sessionStorage.removeItem(nameOf(defaults));
      return entry?.userId === userId ? (entry.values as Values) : undefined;
    }) ?? {}
  );
}
