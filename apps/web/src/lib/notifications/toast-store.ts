import { create } from 'zustand';

/** Required by the product specification. */
const removeDelayMs = 1_000_000;

export type ToastOptions = {
  title: string;
  description?: string | undefined;
  destructive?: boolean;
  durationMs?: number;
  /** Button that also closes the toast. */
  action?: { label: string; run: () => void };
};
export type Toast = ToastOptions & { id: number; open: boolean };

type ToastStore = {
  toasts: readonly Toast[];
  show: (toast: ToastOptions) => number;
  dismiss: (id: number) => void;
};

let lastId = 0;

/** At most one toast is shown. `show` replaces the current toast; `dismiss` closes one and removes it later. */
export const useToasts = create<ToastStore>((set) => ({
  toasts: [],
  show: (text) => {
    lastId += 1;
    const toast = { ...text, id: lastId, open: true };
    set({ toasts: [toast] });
    return toast.id;
  },
  dismiss: (id) => {
    set(({ toasts }) => ({ toasts: toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)) }));
    setTimeout(() => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })), removeDelayMs);
  },
}));

export const showToast = (toast: ToastOptions) => useToasts.getState().show(toast);

export function dismissToasts() {
  const { toasts, dismiss } = useToasts.getState();
  for (const { id } of toasts) dismiss(id);
}
