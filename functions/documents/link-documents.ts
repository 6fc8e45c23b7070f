import { buckets } from '../../shared/contract/buckets.ts';
import { secretMinutes } from '../../shared/contract/secret-names.ts';
import { linkDocuments } from '../../shared/contract/workers/registry-workers.ts';
import { keysIn } from '../../shared/domain/bucket-event.ts';
import {
  type DocumentLink,
  type DocumentPlace,
  linksAmong,
  placeOf,
} from '../../shared/domain/documents/document-place.ts';
import type { IndexingStep } from '../../shared/domain/documents/indexing-step.ts';
import { inParts } from '../../shared/domain/in-parts.ts';
import { type HashUin, uinHasher } from '../../shared/domain/persons/uin-hasher.ts';
import { cacheFor } from '../../shared/lambda/cache-for.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logInfo } from '../../shared/lambda/logger.ts';
import type { ToolsOf } from '../../shared/lambda/open-tools.ts';
import { timeOfInvocation } from '../../shared/lambda/time-left.ts';
import { removeLateDocuments } from '../../shared/registry/import/person-documents.ts';
import { documentLinks } from '../../shared/storage/documents/document-links.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
import { documents } from '../../shared/storage/documents/store.ts';
import { personChanges } from '../../shared/storage/persons/person-changes.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { namingSecret } from '../../shared/storage/secrets/store.ts';

const stores = [documents, documentLinks, renditions, personChanges, queues, namingSecret] as const;
type Tools = ToolsOf<typeof linkDocuments, typeof stores>;

const hasher = cacheFor<HashUin>(secretMinutes);
const { documents: prefix } = buckets.documents;
// The time reserved for linking a page of 1,000 files and queueing the remaining work.
const reserveMs = 15_000;
const writesAtOnce = 50;

export const handler = consume(linkDocuments, stores, (payloads, tools) => {
  const checks = new Map<string, Promise<void>>();
  const syncOnce = (link: DocumentLink): Promise<void> => {
    const name = JSON.stringify(link);
    const checking = checks.get(name) ?? syncLink(link, tools);
    checks.set(name, checking);
    return checking;
  };
  return Promise.allSettled(
    payloads.map(async (payload) => {
      if ('indexing' in payload) return index(payload, tools);
      const keys = keysIn(payload);
      const places = keys.flatMap((key) => placeOf(key.slice(prefix.length)) ?? []);
      await Promise.all([...linksAmong(places).map(syncOnce), ...keys.map((key) => removeRenditions(key, tools))]);
      // Write the links first, because a concurrent run that removes the document's second person reads these links.
      await removeLate(places, tools);
    }),
  );
});

/** Removes documents that arrived after their persons were deleted. */
async function removeLate(places: readonly DocumentPlace[], tools: Tools) {
  const hashUin = await hasher(async () => uinHasher(await tools.naming.text()), tools.now());
  const folders = await removeLateDocuments(places, { ...tools, hashUin });
  if (folders > 0) logInfo('documents of deleted persons removed', { folders });
}

/**
 * Removes the renditions of a deleted or replaced document. Reads the bucket first, because the event may be outdated.
 */
const removeRenditions = async (key: string, { documents, renditions }: Tools): Promise<void> =>
  renditions.removeOf(key, await documents.source(key));

/**
 * Sets or removes a link depending on whether the file is in the bucket, because events may be late, repeated or out of
 * order. Checks the link again if another worker has changed it.
 */
async function syncLink(link: DocumentLink, { documents, documentLinks, newId }: Tools): Promise<void> {
  for (;;) {
    const mark = await documentLinks.mark(link);
    const isThere = await documents.isAt(link);
    if (!isThere && mark === undefined) return;
    const isDone =
      isThere || mark === undefined
        ? await documentLinks.renew(link, newId(), mark)
        : await documentLinks.remove(link, mark);
    if (isDone) return;
  }
}

/** Links existing documents until the function is almost out of time, and then queues the remaining work. */
async function index(step: IndexingStep, tools: Tools): Promise<void> {
  const { documents, documentLinks, queues, newId } = tools;
  const leftMs = timeOfInvocation();
  let { added } = step;
  for await (const { files, last } of documents.pages(step.after)) {
    for (const links of inParts(linksAmong(files), writesAtOnce)) {
      const written = await Promise.all(links.map((link) => documentLinks.put(link, newId())));
      added += written.filter(Boolean).length;
    }
    await removeLate(files, tools);
    if (last !== undefined && leftMs() < reserveMs) {
      const payload = { ...step, after: last, added };
      await queues.documentEvents.send({ payload, group: step.indexing });
      return;
    }
  }
  logInfo('documents indexed', { indexing: step.indexing, added });
}
