import { exportJournal } from '../../shared/contract/jobs.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { exportReports } from '../../shared/lambda/report-export.ts';
import { exportJournalHours } from '../../shared/registry/export/export-journal.ts';
import { journalObjects } from '../../shared/storage/journal/exported-objects.ts';
import { journalHours } from '../../shared/storage/journal/journal-hours.ts';

export const handler = perform(exportJournal, [journalHours, journalObjects], (_, tools) =>
  exportJournalHours({ ...tools, ...exportReports(exportJournal), days: tools.settings.journalDays }),
);
