import { decideChange, type LineOfImport, type SinglePersonChange } from '../../domain/imports/decide-change.ts';
import { applyOnce, type CurrentImport, expiresAt, type Outcome, registeredBy } from './apply-once.ts';
import { removeDocuments } from './person-documents.ts';
import { publishChange } from './publish-change.ts';

/** Applies a line about one person. */
export function applyToPerson(change: SinglePersonChange, by: LineOfImport, current: CurrentImport): Promise<Outcome> {
  const { uin } = change;
  const { tools } = current;
  return applyOnce(change, by, current, {
    uins: [uin],
    decide([before = {}]) {
      const decided = decideChange(change, before);
      if ('rejected' in decided) return decided;
      const { after, event } = decided;
      return { event, changes: [{ uin, before, after, registered: registeredBy(current) }] };
    },
    /** Removes a deleted person's documents and publishes the event. Both steps may be repeated. */
    async runAfterEffects({ formerUins = [] }, event) {
      if (change.change === 'remove') {
        for (const former of formerUins) await tools.persons.expireFormer(former, expiresAt(tools));
        const left = await removeDocuments([uin, ...formerUins], tools);
        if (left > 0) tools.onDocumentsLeft(left, by);
      }
      await publishChange(change, event, { uin }, by, current);
    },
  });
}
