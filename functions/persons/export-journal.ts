import { exportJournal } from '../../shared/contract/jobs.ts';
import { exportHears } from '../../shared/lambda/export-hears.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { exportJournalHours } from '../../shared/registry/export/export-journal.ts';
import { journalHours } from '../../shared/storage/journal/journal-hours.ts';
import { journalObjects } from '../../shared/storage/journal/journal-objects.ts';

/** Exports the hours that are over, as much as there is time for; the next run goes on. */
export const handler = perform(exportJournal, [journalHours, journalObjects], (_, tools) =>
  exportJournalHours({ ...tools, ...exportHears(exportJournal), days: tools.settings.journalDays }),
);
