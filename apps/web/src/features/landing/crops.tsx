import { samples } from './samples.ts';

const [sample] = samples;
const style = 'h-full w-1/2 bg-[length:380%] bg-position-[30%_34%] bg-no-repeat';

/** A corner of a sample before and after. The original is scaled without smoothing. */
export function Crops() {
  return (
    <div className="flex h-full gap-px bg-line">
      <div className={`${style} [image-rendering:pixelated]`} style={{ backgroundImage: `url(${sample.before})` }} />
      <div className={style} style={{ backgroundImage: `url(${sample.after})` }} />
    </div>
  );
}
