import { expect, it } from 'vitest';
import { formatCsv } from './format-csv.ts';

it('writes a header, CRLF line ends, and empty cells for null', () => {
  const rows = [
    { name: 'a.png', width: 10, error: null },
    { name: 'b.png', width: 0, error: 'corrupt_image' },
  ];
  expect(formatCsv(rows)).toBe('\ufeffname,width,error\r\na.png,10,\r\nb.png,0,corrupt_image\r\n');
});

it.each([
  ['plain text', 'plain text'],
  [' space ', ' space '],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "a"', '"say ""a"""'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['=1+1', "'=1+1"],
  ['  @a', "'  @a"],
  ['\t=a,b', `"'\t'=a,b"`],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  [' －1', "' －1"],
  ['＠a', "'＠a"],
  ['a;=1+1', "a;'=1+1"],
  ['a; ＠b;c;-1', "a;' ＠b;c;'-1"],
  ['a\t+1', "a\t'+1"],
  ['a\n=1', `"a\n'=1"`],
  ['a\r@b', `"a\r'@b"`],
  ['a; b=c', 'a; b=c'],
  ['-1', "'-1"],
  ['-1.50', '-1.50'],
  ['-1.50+1', "'-1.50+1"],
])('writes the cell %j as %j', (text, cell) => {
  expect(formatCsv([{ name: text, size: -1 }])).toBe(`\ufeffname,size\r\n${cell},-1\r\n`);
});

it('writes the header of the given columns when there are no rows', () => {
  expect(formatCsv([], ['name', 'size'])).toBe('\ufeffname,size\r\n');
});
