import type { AiDevice } from '@uprez/contracts/engines';
import { openSession } from './open-session.ts';

const side = 32;
/** Largest difference from the processor's result, of 1: a device that paints black is found here. */
const tolerance = 3 / 255;

export type DeviceChoice = { device: AiDevice; refused: { device: AiDevice; reason: string }[] };

/** A tile that moves every layer: a slope in each colour and a wave across them. */
function makeTile(): Float32Array {
  const tile = new Float32Array(3 * side * side);
  for (let i = 0; i < tile.length; i++) {
    const [x, y, c] = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    tile[i] = 0.5 + 0.3 * Math.sin((x * (c + 1) + y * 2) / 3) + (0.2 * (x - y)) / side;
  }
  return tile;
}

async function runOn(model: string, device: AiDevice): Promise<Float32Array> {
  const session = await openSession({ model, device, threads: 1 });
  try {
    return await session.run(makeTile(), side);
  } finally {
    await session.close();
  }
}

/**
 * The first of the wanted devices on which a network (`model`: its file) runs here and gives what the processor gives;
 * `cpu` when none does. `refused` says what was wrong with those before it.
 */
export async function chooseDevice(wanted: readonly AiDevice[], model: string): Promise<DeviceChoice> {
  const refused: DeviceChoice['refused'] = [];
  for (const device of wanted) {
    if (device === 'cpu') break;
    try {
      const [expected, found] = [await runOn(model, 'cpu'), await runOn(model, device)];
      const worst = found.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected[i] as number))), 0);
      if (worst <= tolerance) return { device, refused };
      refused.push({ device, reason: `its result differs from the processor's by ${worst.toFixed(3)}` });
    } catch (error) {
      refused.push({ device, reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) });
    }
  }
  return { device: 'cpu', refused };
}
