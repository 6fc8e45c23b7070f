import { buckets } from '../../shared/contract/buckets.ts';
import { readJournal } from '../../shared/contract/jobs.ts';
import { dayMs } from '../../shared/domain/day-ms.ts';
import { isoTime } from '../../shared/domain/iso-time.ts';
import { eventObject } from '../../shared/domain/journal/exported-hours.ts';
import { callerText } from '../../shared/domain/journal/journal-keys.ts';
import { noteBeside } from '../../shared/lambda/note-reads.ts';
import { perform } from '../../shared/lambda/perform.ts';
import type { JournalRow } from '../../shared/model/journal/journal-row.ts';
import { journal } from '../../shared/storage/journal/journal.ts';

const operator = 'operator';

// With the issuer, as the journal has it: the log has the rest.
const isWhole = (caller: string): boolean => caller === operator || /^(?:sub )?https?:\/\/\S+ /.test(caller);

/** Where it is, or will be, exported who was told of an event. */
const toldIn = ({ event, requestId: messageId, at: publishedAt }: JournalRow) =>
  event === undefined
    ? {}
    : { toldIn: `${buckets.exportedJournal.deliveries}${eventObject({ messageId, publishedAt })}` };

/** A page of the journal, of a person or of a caller. Who reads it reads of persons: that is journaled, too. */
export const handler = perform(readJournal, [journal], async ({ cursor, purpose, ...choice }, tools) => {
  const { journal, settings, now, newId } = tools;
  const since = choice.since === undefined ? now() - settings.journalDays * dayMs : Date.parse(choice.since);
  const after = cursor ?? isoTime(since);
  const asked = { operation: readJournal.job, requestId: newId(), client: operator, headers: { purpose } };
  const noting = { journal, now, newId, settings: { ...settings, purposeRequired: false } };
  async function page() {
    if ('uin' in choice) {
      const { uin } = choice;
      return noteBeside(asked, noting, [{ uin }], () => journal.ofPerson(uin, after));
    }
    const caller = callerText(isWhole(choice.caller) ? choice.caller : `${settings.oidcIssuer} ${choice.caller}`);
    return noteBeside(asked, noting, [{ ofCaller: caller }], () => journal.ofCaller(caller, after));
  }
  const { rows, next } = await page();
  return { rows: rows.map((row) => ({ ...row, ...toldIn(row) })), next };
});
