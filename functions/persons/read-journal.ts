import { buckets } from '../../shared/contract/buckets.ts';
import { readJournal } from '../../shared/contract/jobs.ts';
import { eventObject } from '../../shared/domain/journal/exported-hours.ts';
import { callerText } from '../../shared/domain/journal/journal-keys.ts';
import type { JournalRow } from '../../shared/domain/journal/journal-row.ts';
import { dayMs, isoTime } from '../../shared/domain/time.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { readAndRecord } from '../../shared/lambda/record-reads.ts';
import { journal } from '../../shared/storage/journal/store.ts';
import { persons } from '../../shared/storage/persons/store.ts';

const operator = 'operator';

// The journal identifies a caller by issuer and client; the log contains only the client. Operators may give either
// form.
const isWhole = (caller: string): boolean => caller === operator || /^(?:sub )?https?:\/\/\S+ /.test(caller);

/** Returns the field `exportedIn`: the key of the object to which the deliveries of an event are exported. */
const exportedIn = ({ event, requestId: messageId, at: publishedAt }: JournalRow) =>
  event === undefined
    ? {}
    : { exportedIn: `${buckets.exportedJournal.deliveries}${eventObject({ messageId, publishedAt })}` };

export const handler = perform(readJournal, [journal, persons], async ({ cursor, purpose, ...choice }, tools) => {
  const { journal, settings, now, newId } = tools;
  const since = choice.since === undefined ? now() - settings.journalDays * dayMs : Date.parse(choice.since);
  const after = cursor ?? isoTime(since);
  const access = { operation: readJournal.job, requestId: newId(), client: operator, headers: { purpose } };
  const journalTools = { journal, now, newId, settings: { ...settings, purposeRequired: false } };
  async function page() {
    if ('uin' in choice) {
      const { uins } = await tools.persons.uinsOf(choice.uin);
      return readAndRecord(access, journalTools, [{ uin: uins[0] }], () => journal.ofPerson(uins, after));
    }
    const caller = callerText(isWhole(choice.caller) ? choice.caller : `${settings.oidcIssuer} ${choice.caller}`);
    return readAndRecord(access, journalTools, [{ ofCaller: caller }], () => journal.ofCaller(caller, after));
  }
  const { rows, next } = await page();
  return { rows: rows.map((row) => ({ ...row, ...exportedIn(row) })), next };
});
