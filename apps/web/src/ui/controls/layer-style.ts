export const layerStyle =
  'z-50 max-w-[calc(100vw-1rem)] overflow-auto rounded-card border border-line bg-surface text-ink text-sm shadow-layer animate-fade-in';

export const itemStyle =
  'relative flex min-h-8 cursor-pointer items-center gap-2 rounded-small px-2 py-1.5 outline-none select-none data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-sunken pointer-coarse:min-h-11';
