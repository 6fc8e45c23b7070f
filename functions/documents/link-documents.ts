import { buckets } from '../../shared/contract/buckets.ts';
import { linkDocuments } from '../../shared/contract/workers/documents-workers.ts';
import { keysIn } from '../../shared/domain/bucket-event.ts';
import { type DocumentLink, linksAmong } from '../../shared/domain/documents/document-link.ts';
import { type DocumentPlace, folderOf, placeOf } from '../../shared/domain/documents/document-place.ts';
import type { IndexingStep } from '../../shared/domain/documents/indexing-step.ts';
import { inParts } from '../../shared/domain/in-parts.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { logInfo } from '../../shared/lambda/logger.ts';
import type { ToolsOf } from '../../shared/lambda/open-tools.ts';
import { timeOfInvocation } from '../../shared/lambda/time-left.ts';
import { Fault } from '../../shared/model/faults.ts';
import { settleDocuments } from '../../shared/registry/import/move-late-documents.ts';
import { documentLinks } from '../../shared/storage/documents/document-links.ts';
import { renditions } from '../../shared/storage/documents/renditions.ts';
import { documents } from '../../shared/storage/documents/store.ts';
import { personChanges } from '../../shared/storage/persons/person-changes.ts';
import { queues } from '../../shared/storage/queues/store.ts';

const stores = [documents, documentLinks, renditions, personChanges, queues] as const;
type Tools = ToolsOf<typeof linkDocuments, typeof stores>;

const { documents: prefix } = buckets.documents;
// What a page of 1,000 files may take, and the rest that goes on as a payload of its own.
const reserveMs = 15_000;
const writesAtOnce = 50;

export const handler = consume(linkDocuments, stores, (payloads, tools) => {
  const looks = new Map<string, Promise<void>>();
  const lookOnce = (link: DocumentLink): Promise<void> => {
    const name = JSON.stringify(link);
    const looking = looks.get(name) ?? look(link, tools);
    looks.set(name, looking);
    return looking;
  };
  return Promise.allSettled(
    payloads.map(async (payload) => {
      if ('indexing' in payload) return index(payload, tools);
      const keys = keysIn(payload);
      const places = keys.flatMap((key) => placeOf(key.slice(prefix.length)) ?? []);
      await Promise.all([...linksAmong(places).map(lookOnce), ...keys.map((key) => forget(key, tools))]);
      // Not before they are linked: a merge that is applied meanwhile finds them by that.
      const [unmovable] = await settle(places, tools);
      if (unmovable !== undefined) throw new Fault('documentUnmovable', {}, unmovable.why);
    }),
  );
});

/** @returns what could not follow */
async function settle(places: readonly DocumentPlace[], { personChanges: persons, ...tools }: Tools) {
  const { removed, unmovable } = await settleDocuments(places, { ...tools, persons });
  // Whoever put them for somebody who is gone may not know that.
  if (removed > 0) logInfo('documents of nobody removed', { folders: removed });
  return unmovable;
}

/** Removes what was made of a document that is gone, or another by now, whatever an event said. */
const forget = async (key: string, { documents, renditions }: Tools): Promise<void> =>
  renditions.removeOf(key, await documents.source(key));

/**
 * Makes a link agree with the bucket, whatever an event said: events come late, twice and in any order. A look that another one
 * overtook begins again, or what it saw first would undo what the other saw last.
 */
async function look(link: DocumentLink, { documents, documentLinks, newId }: Tools): Promise<void> {
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

/** Links what is in the bucket already, for as long as there is time; the rest is the next step's. */
async function index(step: IndexingStep, tools: Tools): Promise<void> {
  const { documents, documentLinks, queues, newId } = tools;
  const leftMs = timeOfInvocation();
  let { added } = step;
  for await (const { files, last } of documents.pages(step.after)) {
    for (const links of inParts(linksAmong(files), writesAtOnce)) {
      const written = await Promise.all(links.map((link) => documentLinks.put(link, newId())));
      added += written.filter(Boolean).length;
    }
    // Told of as by the bucket: it is that which comes to the dead letters then, and names the document.
    for (const { place } of await settle(files, tools)) {
      const payload = { Records: [{ s3: { object: { key: encodeURIComponent(`${prefix}${folderOf(place)}.`) } } }] };
      await queues.documentEvents.send({ payload, group: step.indexing });
    }
    if (last !== undefined && leftMs() < reserveMs) {
      const payload = { ...step, after: last, added };
      await queues.documentEvents.send({ payload, group: step.indexing });
      return;
    }
  }
  logInfo('documents indexed', { indexing: step.indexing, added });
}
