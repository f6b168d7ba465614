const names: Record<string, string> = {
  escape: 'Esc',
  arrowleft: 'Left',
  arrowright: 'Right',
  arrowup: 'Up',
  arrowdown: 'Down',
  ' ': 'Space',
};

const nameOf = (key: string, isMac: boolean): string => {
  if (key === '$mod') return isMac ? 'Cmd' : 'Ctrl';
  return names[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key);
};

/** Returns the keys of a shortcut as displayed, without optional keys: `$mod+k` -> [[Ctrl, K]], `g d` -> [[G], [D]]. */
export const toKeyNames = (keys: string, isMac: boolean): string[][] =>
  keys
    .replace(/\[\w+\]\+/g, '')
    .split(' ')
    .map((press) => press.split(/(?<=\w)\+/).map((key) => nameOf(key, isMac)));
