import { inWords } from '../../../console/page/browser/format.ts';
import { keep } from '../../../console/page/browser/render-rows.ts';
import type { QueueDepth } from '../../../console/page/state.ts';
import { byId, element } from '../element.ts';

/** A name that breaks, where it must, before its next word. */
const breaking = (name: string): readonly (Node | string)[] =>
  name.split(/(?=[A-Z])/).flatMap((word, at) => (at === 0 ? [word] : [element('wbr'), word]));

function row({ name, carries, dead, ...depths }: QueueDepth): HTMLElement {
  const cell = (count: number, isBad = false): HTMLElement =>
    element('td', { class: count === 0 ? 'number quiet' : isBad ? 'number bad' : 'number' }, inWords(count));
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element('strong', {}, ...breaking(name)),
      element('span', { class: 'quiet' }, carries),
    ),
    cell(depths.waiting),
    cell(depths.inFlight),
    cell(depths.delayed),
    cell(dead, true),
  );
}

/** Makes what shows the queues. */
export const queuesView = (): ((queues: readonly QueueDepth[]) => void) =>
  keep<QueueDepth>(byId('queues'), ({ name }) => name, row, element('tr'));
