import type { ConsoleState } from '../../console/page/state.ts';

interface Watching {
  readonly onState: (state: ConsoleState) => void;
  /** How the page stands with the stack, in words. */
  readonly onLine: (words: string) => void;
}

/** Listens for as long as somebody can see the page: a hidden one costs the stack nothing. */
export function watch({ onState, onLine }: Watching): void {
  let source: EventSource | undefined;
  const open = (): void => {
    source = new EventSource('/console/live');
    source.addEventListener('message', ({ data }) => {
      onLine('live');
      onState(JSON.parse(data) as ConsoleState);
    });
    source.addEventListener('trouble', ({ data }) => onLine(`the emulators do not answer: ${JSON.parse(data)}`));
    source.addEventListener('error', () => onLine('the stack does not answer: is it running?'));
  };
  const follow = (): void => {
    source?.close();
    if (document.visibilityState === 'visible') open();
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}
