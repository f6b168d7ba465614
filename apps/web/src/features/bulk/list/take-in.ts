import { limits } from '@uprez/contracts/policy/limits';
import { randomId } from '../../../lib/browser/random-id.ts';
import { identity, isImage, needsFile, type Row } from './row.ts';

/** A file beyond the largest batch: named, and taken when there is room. Without `file` it has to be dropped again. */
export type Aside = Pick<Row, 'name' | 'size' | 'relativePath'> & { file?: File | undefined };
export type Refused = Aside & { reason: string };
export type Intake = { accepted: readonly File[]; refused: readonly Refused[] };
type List = { rows: readonly Row[]; aside: readonly Aside[] };

/** Where a file lies in the folder that was dropped or picked, without dots and slashes in front. */
export function relativePathOf(file: File & { relativePath?: string; path?: string }): string {
  const path = file.webkitRelativePath || file.relativePath || file.path || file.name;
  return path.replace(/^(\.?[/\\])+/, '').slice(-limits.relativePathLength);
}

export const asideOf = (file: File): Aside => ({
  name: file.name,
  size: file.size,
  relativePath: relativePathOf(file),
  file,
});

const rowOf = ({ name, size, relativePath, file }: Aside): Row => ({
  ...{ id: randomId(), name, size, relativePath, file },
  ...{ status: 'pending', sent: 0, progress: 0 },
});

/** Room for so many images more. */
const roomIn = (rows: readonly Row[]) => limits.batchItems - rows.filter(isImage).length;

/** Give rows that lost their file the one that was dropped again; answers the files that nobody waited for. */
function giveBack(rows: readonly Row[], files: readonly Aside[]): { rows: Row[]; rest: Aside[] } {
  const given = [...rows];
  const rest = files.filter((file) => {
    const index = given.findIndex((row) => needsFile(row) && identity(row) === identity(file));
    const row = given[index];
    if (!row) return true;
    given[index] = { ...row, file: file.file };
    return false;
  });
  return { rows: given, rest };
}

const { compare } = new Intl.Collator('en', { numeric: true });
/** As one reads a folder: a disk gives its files in any order. */
const byPath = (a: Aside, b: Aside) => compare(a.relativePath, b.relativePath);

/**
 * The list after files were dropped: lost ones found again, new ones up to the largest batch, those beyond left aside,
 * refused ones in the list with their reason. `cut`: how many were left aside now.
 */
export function takeIn(list: List, { accepted, refused }: Intake): List & { cut: number } {
  const files = accepted.map(asideOf).toSorted(byPath);
  const { rows, rest } = giveBack(list.rows, files);
  const known = new Set(files.map(identity));
  const waiting = list.aside.filter((file) => file.file || !known.has(identity(file)));
  const room = Math.max(0, roomIn(rows));
  const extra = rest.slice(room);
  const bad = refused.map(({ reason, ...file }): Row => ({ ...rowOf(file), status: 'rejected', error: reason }));
  const badRoom = limits.batchItems - (rows.length - rows.filter(isImage).length);
  return {
    rows: [...rows, ...rest.slice(0, room).map(rowOf), ...bad.slice(0, Math.max(0, badRoom))],
    aside: [...waiting, ...extra],
    cut: extra.length,
  };
}

/** Take files from aside as far as there is room. */
export function takeFromAside({ rows, aside }: List): List {
  const here = aside.filter(({ file }) => file).slice(0, Math.max(0, roomIn(rows)));
  return { rows: [...rows, ...here.map(rowOf)], aside: aside.filter((file) => !here.includes(file)) };
}
