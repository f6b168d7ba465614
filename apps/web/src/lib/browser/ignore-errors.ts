/**
 * Returns the result of an access to storage, or undefined if it fails: the browser may deny storage, or another version
 * of the site may have stored the entry.
 */
export function ignoreErrors<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
