const endLength = 10;

/** A file name that is truncated in the middle, so that its extension stays visible. */
export function TruncatedName({ name, path }: { name: string; path: string }) {
  const letters = [...name];
  const cut = Math.max(0, letters.length - endLength);
  return (
    <p className="flex min-w-0 font-medium text-sm" title={path}>
      <span className="sr-only">{path}</span>
      <span aria-hidden="true" className="truncate whitespace-pre">
        {letters.slice(0, cut).join('')}
      </span>
      <span aria-hidden="true" className="shrink-0 whitespace-pre">
        {letters.slice(cut).join('')}
      </span>
    </p>
  );
}
