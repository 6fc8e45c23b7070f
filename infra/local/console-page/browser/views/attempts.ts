import { endingOf, moment, short, took } from '../../../console/page/browser/format.ts';
import { keep } from '../../../console/page/browser/render-rows.ts';
import type { Attempt } from '../../../console/page/state.ts';
import { byId, element } from '../element.ts';

const mostShown = 12;

const row = (attempt: Attempt): HTMLElement =>
  element(
    'li',
    {},
    element('span', { class: 'quiet' }, moment(attempt.at)),
    endingOf(attempt),
    element('span', {}, attempt.isConfirmation ? 'to confirm' : `attempt ${attempt.ordinal}`),
    element('span', { class: 'quiet' }, short(attempt.subscription)),
    element('span', { class: 'quiet end' }, took(attempt.durationMs)),
  );

/** Makes what shows the latest attempts; answers the ids that those which are new are about. */
export function attemptsView(): (attempts: readonly Attempt[]) => ReadonlySet<string> {
  const none = element('li', { class: 'none' }, 'Nothing was sent since the start.');
  const keyOf = ({ at, messageId, subscription, ordinal }: Attempt) => `${at} ${messageId} ${subscription} ${ordinal}`;
  const show = keep<Attempt>(byId('attempts'), keyOf, row, none);
  let seen: ReadonlySet<string> = new Set();
  return (attempts) => {
    show(attempts.slice(0, mostShown));
    const fresh = attempts.filter((one) => !seen.has(keyOf(one)));
    seen = new Set(attempts.map(keyOf));
    return new Set(fresh.flatMap(({ messageId, subscription }) => [messageId, subscription]));
  };
}
