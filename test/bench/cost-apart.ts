import { costOfEvent, type Events } from './cost-event.ts';
import { answerParent } from './process.ts';

answerParent<Events, number>(async (events) => (await costOfEvent(events)).million);
