const longestSegment = 120;
const deepestFolder = 20;

/** Characters that are unsafe in file names: controls, bidirectional marks, and invisible characters. */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;
const reserved = /[<>:"|?*/\\]/g;
/** Names of devices, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/** A text as one part of a path on any system; empty when nothing of it is left. Keeps the end, where the extension is. */
export function safeSegment(text: string): string {
  const plain = text.replace(unsafe, '').replace(reserved, '_');
  const points = [...plain];
  const dot = plain.lastIndexOf('.');
  const ending = dot > 0 && plain.length - dot <= 6 ? plain.slice(dot) : '';
  const short =
    points.length <= longestSegment ? plain : points.slice(0, longestSegment - ending.length).join('') + ending;
  const trimmed = short.replace(/^\s+|[\s.]+$/gu, '');
  return device.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** The folder of a file as a safe relative path. `path` may include the name at its end. */
export function safeFolder(path: string, name: string): string {
  const parts = path.split(/[\\/]+/);
  const last = safeSegment(parts.at(-1) ?? '');
  const folders = last === '' || last === safeSegment(name) ? parts.slice(0, -1) : parts;
  const safe = folders.filter((part) => !/^[a-z]:$/i.test(part)).map(safeSegment);
  return safe
    .filter((part) => part !== '')
    .slice(0, deepestFolder)
    .join('/');
}
