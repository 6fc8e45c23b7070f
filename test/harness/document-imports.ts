import { handler as linkDocuments } from '../../functions/documents/link-documents.ts';
import { aBucketEvent } from './bucket-event.ts';
import { ndjson, useImports } from './import-harness.ts';
import { context, sqsEvent } from './lambda-events.ts';
import type { GivenSettings } from './variables.ts';

export const register = (uin: string) => ({ change: 'register', uin, attributes: { lastName: 'King' } });
export const merge = (keep: string, ...duplicates: string[]) => ({ change: 'merge', keep, duplicates });
export const remove = (uin: string) => ({ change: 'remove', uin });

/** Imports, and documents of those whom they change. */
export function useDocumentImports(settings: GivenSettings = {}) {
  const imports = useImports(settings);
  let files = 0;
  return {
    imports,
    /** Has changes applied, a file of their own. */
    apply: (...changes: readonly object[]) => imports.import(`imports/${++files}.ndjson`, ndjson(...changes)),
    /** Puts documents whose bodies are their names. */
    async put(...keys: readonly string[]): Promise<void> {
      for (const key of keys) await imports.put(key, key);
    },
    /** Has the bucket tell of documents. */
    tell: (...keys: readonly string[]) => linkDocuments(sqsEvent(aBucketEvent(...keys)), context),
  };
}
