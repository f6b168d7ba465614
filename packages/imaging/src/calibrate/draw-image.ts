import { cutSquare, makeRandom, type Tile } from './tile.ts';

export const drawnKinds = ['petals', 'lines', 'noise', 'gradient', 'flat'] as const;
export type DrawnKind = (typeof drawnKinds)[number];

type Color = [number, number, number];
type Canvas = { side: number; data: Uint8ClampedArray; random: () => number };

/** The same seed gives the same image. */
export function drawImage(kind: DrawnKind, side: number, seed: number): Tile {
  const canvas = { side, data: new Uint8ClampedArray(side * side * 3), random: makeRandom(seed) };
  painters[kind](canvas);
  const image = { data: new Uint8Array(canvas.data.buffer), width: side, height: side };
  return cutSquare(image, { x: 0, y: 0, side, name: kind });
}

const painters: Record<DrawnKind, (canvas: Canvas) => void> = {
  petals(canvas) {
    const { side, random } = canvas;
    const ground = randomSaturatedColor(random);
    paint(canvas, () => [ground, 1]);
    for (let k = 0; k < 14; k++) {
      const [cx, cy, radius] = [random() * side, random() * side, side * (0.06 + random() * 0.22)];
      const [flat, angle, color] = [0.35 + random() * 0.65, random() * Math.PI, randomSaturatedColor(random)];
      paint(canvas, (x, y) => {
        const along = (x - cx) * Math.cos(angle) + (y - cy) * Math.sin(angle);
        const across = ((y - cy) * Math.cos(angle) - (x - cx) * Math.sin(angle)) / flat;
        const distance = Math.hypot(along, across) / radius;
        const shade = 1 - 0.5 * distance ** 2 + 0.06 * Math.sin(along * 1.7);
        return [scale(color, shade), (1 - distance) * radius];
      });
    }
  },
  lines(canvas) {
    const { side, random } = canvas;
    const ground: Color = random() < 0.5 ? [255, 255, 255] : randomColor(random);
    paint(canvas, () => [ground, 1]);
    for (let k = 0; k < 16; k++) {
      const [x0, y0, dx, dy] = [random() * side, random() * side, (random() - 0.5) * side, (random() - 0.5) * side];
      const [width, color] = [0.5 + random() * 2, random() < 0.6 ? ([0, 0, 0] as Color) : randomSaturatedColor(random)];
      paint(canvas, (x, y) => {
        const along = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)));
        return [color, width + 0.5 - Math.hypot(x - x0 - along * dx, y - y0 - along * dy)];
      });
    }
  },
  noise(canvas) {
    painters.gradient(canvas);
    const strength = 10 + canvas.random() * 60;
    canvas.data.forEach((value, i) => {
      canvas.data[i] = value + (canvas.random() + canvas.random() + canvas.random() - 1.5) * strength;
    });
  },
  gradient(canvas) {
    const { side, random } = canvas;
    const [from, to, angle] = [randomColor(random), randomColor(random), random() * 2 * Math.PI];
    paint(canvas, (x, y) => {
      const share = ((x * Math.cos(angle) + y * Math.sin(angle)) / side + 1.5) / 3;
      return [from.map((value, c) => value + ((to[c] as number) - value) * share) as Color, 1];
    });
  },
  /** Draws a single color, because any error is visible on smooth surfaces. */
  flat(canvas) {
    const { random } = canvas;
    const grey = random() * 280;
    const color: Color = random() < 0.5 ? [grey, grey, grey] : randomColor(random);
    paint(canvas, () => [color, 1]);
  },
};

/** The coverage is clamped to 0-1. */
function paint({ side, data }: Canvas, brush: (x: number, y: number) => [Color, number]): void {
  for (let i = 0; i < side * side; i++) {
    const [color, cover] = brush(i % side, Math.floor(i / side));
    const share = Math.max(0, Math.min(1, cover));
    for (let c = 0; c < 3; c++) {
      const under = data[i * 3 + c] as number;
      data[i * 3 + c] = under + ((color[c] as number) - under) * share;
    }
  }
}

const scale = (color: Color, factor: number) => color.map((value) => value * factor) as Color;
const randomColor = (random: () => number): Color => [random() * 255, random() * 255, random() * 255];

function randomSaturatedColor(random: () => number): Color {
  const color: Color = [0, 0, 0];
  color[Math.floor(random() * 3)] = 150 + random() * 105;
  color[Math.floor(random() * 3)] = random() * 160;
  return color;
}
