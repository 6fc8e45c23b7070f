import { readJournal } from '../../shared/contract/jobs.ts';
import { dayMs } from '../../shared/domain/day-ms.ts';
import { isoTime } from '../../shared/domain/iso-time.ts';
import { callerText } from '../../shared/domain/journal/journal-keys.ts';
import { noteBeside } from '../../shared/lambda/note-reads.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { journal } from '../../shared/storage/journal/journal.ts';

// With the issuer, as the journal has it: the log has the rest.
const isWhole = /^(?:sub )?https?:\/\/\S+ /;

/** A page of the journal, of a person or of a caller. Who reads it reads of persons: that is journaled, too. */
export const handler = perform(readJournal, [journal], async ({ cursor, purpose, ...choice }, tools) => {
  const { journal, settings, now, newId } = tools;
  const since = choice.since === undefined ? now() - settings.journalDays * dayMs : Date.parse(choice.since);
  const after = cursor ?? isoTime(since);
  const asked = { operation: readJournal.job, requestId: newId(), client: 'operator', headers: { purpose } };
  const noting = { journal, now, newId, settings: { ...settings, purposeRequired: false } };
  if ('uin' in choice) {
    const { uin } = choice;
    return noteBeside(asked, noting, [{ uin }], () => journal.ofPerson(uin, after));
  }
  const caller = isWhole.test(choice.caller) ? choice.caller : `${settings.oidcIssuer} ${choice.caller}`;
  return noteBeside(asked, noting, [{ ofCaller: callerText(caller) }], () =>
    journal.ofCaller(callerText(caller), after),
  );
});
