import { doing } from './announce.ts';
import { askConsole, newToken } from './api.ts';
import { button, byId } from './element.ts';
import { happenedTo } from './look.ts';
import { attemptsView } from './views/attempts.ts';
import { eventsView } from './views/events.ts';
import { showFigures } from './views/figures.ts';
import { queuesView } from './views/queues.ts';
import { subscriptionsView } from './views/subscriptions.ts';
import { watch } from './watch.ts';

const showEvents = eventsView();
const showAttempts = attemptsView();
const showSubscriptions = subscriptionsView();
const showQueues = queuesView();

byId('actions').append(
  button('Copy a token', () =>
    doing(async () => {
      await navigator.clipboard.writeText(await newToken());
      return 'An access token with every scope is in the clipboard.';
    }),
  ),
  button('Deliver again what failed in 24 hours', () =>
    doing(async () => {
      const { redelivered } = await askConsole<{ redelivered: number }>('POST', 'redeliver');
      return `The job redeliver ended: ${redelivered} of the last 24 hours made again.`;
    }),
  ),
);

watch({
  onLine(words) {
    const line = byId('line');
    if (line.textContent !== words) line.textContent = words;
  },
  onState(state) {
    showFigures(state);
    showEvents(state.events);
    showSubscriptions(state.subscriptions);
    showQueues(state.queues);
    happenedTo(showAttempts(state.attempts));
  },
});
