import { linearTable, sampleTable } from './linear-light.ts';
import { lanczosKernel, type Placement, resampleRows } from './resample.ts';
import type { RowStream, Samples } from './row-stream.ts';
import { openFloatRows } from './sharpen-rows.ts';

type ShrinkLightOptions = { width: number; height: number; placement: Placement };

/**
 * Shrinks colors without alpha in linear light, which keeps the light of fine detail such as hair or stars. Sharpness is
 * kept by the Lanczos3 kernel.
 */
export function shrinkLight(source: RowStream, options: ShrinkLightOptions): RowStream {
  const toLight = linearTable(source.depth);
  const { samples, steps } = sampleTable(source.depth);
  const rows = openFloatRows(source);
  const nextRow = async () => {
    const row = await rows();
    for (let i = 0; i < row.length; i++) row[i] = toLight[row[i] as number] as number;
    return row;
  };
  const finish = (light: Float32Array, row: Samples) => {
    for (let i = 0; i < light.length; i++) {
      const value = light[i] as number;
      row[i] = samples[value <= 0 ? 0 : value >= 1 ? steps : Math.round(value * steps)] as number;
    }
  };
  return resampleRows(source, { ...options, kernel: lanczosKernel }, { nextRow, finish });
}
