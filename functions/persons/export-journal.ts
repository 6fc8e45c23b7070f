import { exportJournal } from '../../shared/contract/jobs.ts';
import { faultLogged } from '../../shared/contract/log-lines.ts';
import { logFault } from '../../shared/lambda/log.ts';
import { addMetric } from '../../shared/lambda/metrics.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { exportJournalHours } from '../../shared/storage/journal/export-journal.ts';
import { journalHours } from '../../shared/storage/journal/journal-hours.ts';
import { journalObjects } from '../../shared/storage/journal/journal-objects.ts';

/** Exports the hours that are over, as many as there is time for; the next run goes on. */
export const handler = perform(exportJournal, [journalHours, journalObjects], (_, tools) =>
  exportJournalHours({
    ...tools,
    days: tools.settings.journalDays,
    onOldest: (dueForMs) => addMetric('OldestDue', dueForMs / 1000),
    onFault: (error) => logFault(faultLogged, error, { job: exportJournal.job }),
  }),
);
