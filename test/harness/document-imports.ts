import { handler as linkDocuments } from '../../functions/documents/link-documents.ts';
import { aBucketEvent } from './bucket-event.ts';
import { ndjson, useImports } from './import-harness.ts';
import { context, sqsEvent } from './lambda-events.ts';
import type { GivenSettings } from './variables.ts';

export const register = (uin: string) => ({ change: 'register', uin, attributes: { lastName: 'King' } });
export const merge = (keep: string, ...duplicates: string[]) => ({ change: 'merge', keep, duplicates });
export const remove = (uin: string) => ({ change: 'remove', uin });

/** Sets up imports and the documents of the imported persons. */
export function useDocumentImports(settings: GivenSettings = {}) {
  const imports = useImports(settings);
  let files = 0;
  return {
    imports,
    /** Imports these changes from a new file. */
    apply: (...changes: readonly object[]) => imports.import(`imports/${++files}.ndjson`, ndjson(...changes)),
    /** Stores documents. The content of each document is its key. */
    async put(...keys: readonly string[]): Promise<void> {
      for (const key of keys) await imports.put(key, key);
    },
    /** Sends bucket events about documents. */
    tell: (...keys: readonly string[]) => linkDocuments(sqsEvent(aBucketEvent(...keys)), context),
  };
}
