import { existsSync, readFileSync } from 'node:fs';

const cpuInfo = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';

/** The variant of small quantized networks on this CPU. Without VNNI, sums of their 8-bit products overflow. */
export const int8OnThisCpu = /\bavx(512)?_vnni\b/.test(cpuInfo) ? 'int8' : 'fp32';
