import type { Socket } from 'node:net';

/** The sockets that a process has open to receivers: Lambda gives it 1,024 file descriptors for everything. */
export interface OpenSockets {
  isFull(): boolean;
  /** Whether somebody waits for a socket of another to be closed. */
  isAwaited(): boolean;
  /** Counts a socket for as long as it is open. */
  add(socket: Socket): void;
  /** Waits until there may be room. Whoever has waited looks again, and calls `next` once it has taken its own. */
  room(): Promise<void>;
  /** Lets the next one look. */
  next(): void;
}

/** @param most that may be open at once; who begins something that may open one asks first */
export function openSockets(most: number): OpenSockets {
  const open = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const isFull = () => open.size >= most;
  const next = () => {
    if (!isFull()) waiting.shift()?.();
  };
  return {
    isFull,
    isAwaited: () => waiting.length > 0,
    add(socket) {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        next();
      });
    },
    room: () => new Promise((resolve) => waiting.push(resolve)),
    next,
  };
}
