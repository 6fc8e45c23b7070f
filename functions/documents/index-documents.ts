import { indexDocuments } from '../../shared/contract/jobs.ts';
import { perform } from '../../shared/lambda/perform.ts';
import { queues } from '../../shared/storage/queues/store.ts';

/** Starts linking existing documents. The `linkDocuments` worker then links the documents page by page. */
export const handler = perform(indexDocuments, [queues], async (_input, { queues, newId }) => {
  const indexing = newId();
  await queues.documentEvents.send({ payload: { indexing, added: 0 }, group: indexing });
  return { indexing };
});
