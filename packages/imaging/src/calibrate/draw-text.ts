import sharp from 'sharp';
import { openRandom } from './random.ts';
import { cutSquare, type Tile } from './tile.ts';

const words = 'the quick Brown fox JUMPS over 13 lazy dogs Zephyr 4096 %#'.split(' ');

/** Lines of text in several sizes and colours, in the fonts of this machine; dark or light ground by the seed. */
export async function drawText(side: number, seed: number): Promise<Tile> {
  const random = openRandom(seed);
  const isDark = random() < 0.5;
  const lines: string[] = [];
  for (let y = 10; y < side + 8; ) {
    const size = 7 + Math.floor(random() * 10);
    const colour = random() < 0.6 ? (isDark ? '#eee' : '#111') : `hsl(${Math.floor(random() * 360)},90%,45%)`;
    const font = random() < 0.5 ? 'serif' : 'sans-serif';
    const text = Array.from({ length: 8 }, () => words[Math.floor(random() * words.length)]).join(' ');
    lines.push(
      `<text x="${-random() * 20}" y="${y}" font-size="${size}" font-family="${font}" fill="${colour}">${text}</text>`,
    );
    y += size + 2;
  }
  const ground = `<rect width="100%" height="100%" fill="${isDark ? '#14181e' : '#fffffa'}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">${ground}${lines.join('')}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return cutSquare({ data, width: info.width, height: info.height }, { x: 0, y: 0, side, name: 'text' });
}
