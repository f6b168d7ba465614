/** What is used of WebAssembly, which the types of Node.js lack. */
export type WasmMemory = { readonly buffer: ArrayBufferLike };
export type WasmModule = object;
export type Kernel = (...numbers: number[]) => void;
type Runtime = {
  Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
  compile: (bytes: Uint8Array) => Promise<WasmModule>;
  instantiate: (module: WasmModule, imports: object) => Promise<{ exports: Record<string, Kernel> }>;
};

const { WebAssembly: runtime } = globalThis as unknown as { WebAssembly: Runtime };

/** Allocate memory of a fixed size. */
export const makeMemory = (pages: number, isShared: boolean): WasmMemory =>
  new runtime.Memory({ initial: pages, maximum: pages, shared: isShared });

export const compileModule = (bytes: Uint8Array): Promise<WasmModule> => runtime.compile(bytes);

/** The functions of a module on a memory. */
export const openModule = async (module: WasmModule, memory: WasmMemory): Promise<Record<string, Kernel>> =>
  (await runtime.instantiate(module, { env: { memory } })).exports;
