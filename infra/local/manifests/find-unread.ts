/**
 * Returns the paths of the fields in a value that `read` never looks at. Compiled schemas ignore fields that they don't know,
 * as Kubernetes does, so a misspelled one would pass.
 */
export function findUnread<Value extends object>(value: Value, read: (value: Value) => void): string[] {
  const unread = new Set<string>();
  read(watch(value, '', unread));
  return [...unread];
}

function watch<Value extends object>(value: Value, path: string, unread: Set<string>): Value {
  const pathOf = (key: string) => (path === '' ? key : `${path}.${key}`);
  for (const key of Object.keys(value)) unread.add(pathOf(key));
  const children = new Map<string, object>();
  return new Proxy(value, {
    get: (target, key, receiver) => {
      const child: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return child;
      unread.delete(pathOf(key));
      if (typeof child !== 'object' || child === null) return child;
      const watched = children.get(key) ?? watch(child, pathOf(key), unread);
      children.set(key, watched);
      return watched;
    },
  });
}
