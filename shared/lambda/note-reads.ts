import { Fault } from '../model/faults.ts';
import type { About, JournalEntry } from '../model/journal/journal-row.ts';
import { Refusal } from '../model/refusals.ts';

/** What the journal takes of a request. */
interface Asked {
  readonly operation: string;
  readonly requestId: string;
  readonly client: string;
  readonly headers: { readonly purpose: string | undefined };
}

interface Tools {
  readonly settings: { readonly purposeRequired: boolean; readonly journalDays: number };
  readonly now: () => number;
  readonly newId: () => string;
}

type Put = (entry: JournalEntry) => Promise<void>;

async function note(put: Put, { headers, ...asked }: Asked, about: readonly About[], tools: Tools): Promise<void> {
  const { operation, requestId, client } = asked;
  const who = { operation, requestId, caller: client, purpose: headers.purpose };
  const when = { id: tools.newId(), at: tools.now(), days: tools.settings.journalDays };
  await put({ rows: about.map((one) => ({ ...who, ...one })), ...when }).catch((error: unknown) => {
    throw new Fault('notJournaled', { operation }, error);
  });
}

/** @throws Refusal `missingParameter` where the setting asks for a purpose and the caller gave none */
export function refusePurposeless({ headers }: Pick<Asked, 'headers'>, { settings }: Tools): void {
  if (headers.purpose !== undefined || !settings.purposeRequired) return;
  const mend = 'say in a few words what the answer is for, as in Purpose: passport application';
  throw new Refusal('missingParameter', `purpose is required in the headers: ${mend}`);
}

/**
 * Reads while the journal is told of whom: neither waits for the other, and there is no answer without both.
 * @throws Fault `notJournaled`, Refusal `missingParameter` before anything is read
 */
export async function noteBeside<Read>(
  asked: Asked,
  tools: Tools & { readonly journal: { readonly put: Put } },
  about: readonly About[],
  read: () => Promise<Read>,
): Promise<Read> {
  refusePurposeless(asked, tools);
  const [found] = await Promise.all([read(), note(tools.journal.put, asked, about, tools)]);
  return found;
}

/** Tells the journal of whom else an answer is about to tell, where only what was read says so. @throws Fault `notJournaled` */
export const noteAlso = (
  asked: Asked,
  tools: Tools & { readonly journal: { readonly put: Put } },
  about: readonly About[],
): Promise<void> => note(tools.journal.put, asked, about, tools);

/**
 * Tells the journal what a search is about to answer. The search has looked whether there is a purpose before it read.
 * @throws Fault `notJournaled`
 */
export const noteAnswer = (
  asked: Asked,
  tools: Tools & { readonly journal: { readonly putMany: Put } },
  about: readonly About[],
): Promise<void> => note(tools.journal.putMany, asked, about, tools);
