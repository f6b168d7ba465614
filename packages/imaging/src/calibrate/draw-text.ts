import { guardedSharp } from '../decoders.ts';
import { cutSquare, openRandom, type Tile } from './tile.ts';

const words = 'the quick Brown fox JUMPS over 13 lazy dogs Zephyr 4096 %#'.split(' ');
const smallest = 7;

/** Generate lines of text in several sizes and colors, in the fonts of this machine. */
export async function drawText(side: number, seed: number): Promise<Tile> {
  const random = openRandom(seed);
  const isDark = random() < 0.5;
  const lines = Array.from({ length: Math.ceil(side / smallest) }, () => {
    const size = smallest + Math.floor(random() * 10);
    const font = random() < 0.5 ? 'serif' : 'sans-serif';
    const text = Array.from({ length: Math.ceil(side / 8) }, () => words[Math.floor(random() * words.length)]).join(
      ' ',
    );
    return `<span face="${font}" size="${size}pt" foreground="${pickColor(random, isDark)}">${text}</span>`;
  });
  const text = { text: lines.join('\n'), rgba: true, dpi: 72, spacing: 1 };
  const background = isDark ? '#14181e' : '#fffffa';
  const { data, info } = await guardedSharp({ text })
    .flatten({ background })
    .extend({ right: side, bottom: side, background })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [x, y] = [Math.floor(random() * 10), Math.floor(random() * 6)];
  return cutSquare({ data, width: info.width, height: info.height }, { x, y, side, name: 'text' });
}

function pickColor(random: () => number, isDark: boolean): string {
  if (random() < 0.6) return isDark ? '#eeeeee' : '#111111';
  const channel = () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0');
  return `#${channel()}${channel()}${channel()}`;
}
