import { inWords, moment } from '../../../console/page/browser/format.ts';
import type { ConsoleState } from '../../../console/page/state.ts';
import { byId } from '../element.ts';

const total = (queues: ConsoleState['queues'], of: (queue: ConsoleState['queues'][number]) => number): number =>
  queues.reduce((sum, queue) => sum + of(queue), 0);

/** The figures at the top. */
export function showFigures({ figures, queues }: ConsoleState): void {
  const shown = {
    published: figures.published,
    delivered: figures.delivered,
    failed: figures.failed,
    waiting: total(queues, ({ waiting, inFlight, delayed }) => waiting + inFlight + delayed),
    dead: total(queues, ({ dead }) => dead),
  };
  for (const [name, value] of Object.entries(shown)) {
    const place = byId(`figure-${name}`);
    place.textContent = inWords(value);
    place.classList.toggle('bad', value > 0 && (name === 'failed' || name === 'dead'));
  }
  byId('since').replaceChildren(moment(figures.since));
}
