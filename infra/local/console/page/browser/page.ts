import type { About, ConsoleState } from '../state.ts';
import { newToken, requestConsole } from './api.ts';
import { createChartView } from './chart.ts';
import { createButtons } from './create.ts';
import { refreshDialog } from './dialog.ts';
import { announceResult, button, byId, element } from './element.ts';
import { createOperatorView } from './operator-views.ts';
import {
  createAttemptsView,
  createEventsView,
  createFiguresView,
  createSubscriptionsView,
  createTopicsView,
} from './views.ts';

const showFigures = createFiguresView();
const showChart = createChartView();
const showEvents = createEventsView();
const showAttempts = createAttemptsView();
const showSubscriptions = createSubscriptionsView();
const showTopics = createTopicsView();
const showOperator = createOperatorView();

const toolButtons = (): HTMLButtonElement[] => [
  button('Copy access token', () =>
    announceResult(async () => {
      await navigator.clipboard.writeText(await newToken());
      return 'Copied an access token with all scopes to the clipboard.';
    }),
  ),
  button('Redeliver failures from the last 24 hours', () =>
    announceResult(async () => {
      const { redelivered } = await requestConsole<{ redelivered: number }>('POST', 'redeliver');
      return `Redelivery started. Deliveries: ${redelivered}.`;
    }),
  ),
];

let current: ConsoleState | undefined;

/** Shows the parts of the page that do not change while the console runs. */
function showAbout(state: ConsoleState): void {
  const { name, links, hasTools, receiver }: About = state.about;
  byId('about').textContent = name;
  byId('links').replaceChildren(...Object.entries(links).map(([text, href]) => element('a', { href }, text)));
  const buttons = createButtons(() => current ?? state, receiver !== undefined);
  byId('actions').replaceChildren(...buttons, ...(hasTools ? toolButtons() : []));
}

function showState(state: ConsoleState): void {
  if (current === undefined) showAbout(state);
  current = state;
  showFigures(state);
  showChart(state.chart);
  showEvents(state.events);
  showSubscriptions(state.subscriptions);
  showTopics(state.topics);
  showOperator(state.operator);
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
  source.addEventListener('trouble', ({ data }) => showConnection(`no data: ${JSON.parse(data)}`));
  source.addEventListener('error', () => showConnection('the console is not responding. Is it running?'));
}

/** Connects only while the page is visible, so that hidden pages cause no load on the stack. */
function connectWhileVisible(): void {
  source?.close();
  if (document.visibilityState === 'visible') connect();
}
document.addEventListener('visibilitychange', connectWhileVisible);
connectWhileVisible();
