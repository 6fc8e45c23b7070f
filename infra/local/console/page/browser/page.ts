import type { ConsoleState } from '../state.ts';
import { newToken, requestConsole } from './api.ts';
import { refreshDialog } from './dialog.ts';
import { announceResult, button, byId } from './element.ts';
import {
  createAttemptsView,
  createEventsView,
  createQueuesView,
  createSubscriptionsView,
  showFigures,
} from './views.ts';

const showEvents = createEventsView();
const showAttempts = createAttemptsView();
const showSubscriptions = createSubscriptionsView();
const showQueues = createQueuesView();

byId('actions').append(
  button('Copy access token', () =>
    announceResult(async () => {
      await navigator.clipboard.writeText(await newToken());
      return 'Copied an access token with every scope to the clipboard.';
    }),
  ),
  button('Redeliver failures of the last 24 hours', () =>
    announceResult(async () => {
      const { redelivered } = await requestConsole<{ redelivered: number }>('POST', 'redeliver');
      return `Redelivery started. Deliveries: ${redelivered}.`;
    }),
  ),
);

function showState(state: ConsoleState): void {
  showFigures(state);
  showEvents(state.events);
  showSubscriptions(state.subscriptions);
  showQueues(state.queues);
  refreshDialog(showAttempts(state.attempts));
}

function showConnection(text: string): void {
  const line = byId('line');
  if (line.textContent !== text) line.textContent = text;
}

let source: EventSource | undefined;

function connect(): void {
  source = new EventSource('/console/live');
  source.addEventListener('message', ({ data }) => {
    showConnection('live');
    showState(JSON.parse(data) as ConsoleState);
  });
  source.addEventListener('trouble', ({ data }) => showConnection(`the emulators do not respond: ${JSON.parse(data)}`));
  source.addEventListener('error', () => showConnection('the stack does not respond. Is it running?'));
}

/** Connects only while the page is visible, so that hidden pages do not put load on the stack. */
function connectWhileVisible(): void {
  source?.close();
  if (document.visibilityState === 'visible') connect();
}
document.addEventListener('visibilitychange', connectWhileVisible);
connectWhileVisible();
