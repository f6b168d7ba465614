const LINE_HEIGHT = 18;
const TOP = 780;

/** Returns a PDF of one A4 page with lines of text. Characters outside Windows-1252 become question marks. */
export function makePdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf ${LINE_HEIGHT} TL 56 ${TOP} Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(body.length);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}`;
  const trailer = ['trailer', `<< /Size ${count} /Root 1 0 R >>`, 'startxref', body.length, '%%EOF', ''].join('\n');
  return Buffer.from(body + table + trailer, 'latin1');
}

/** One character is one byte, which the offsets rely on. */
const escapeText = (text: string) => text.replaceAll(/[^\x20-\xff]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`);
