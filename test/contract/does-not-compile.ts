// Only the compiler checks this file. Each line marked `@ts-expect-error` must contain an error, so that compilation
// fails if a rule is no longer enforced.
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { defineEndpoint } from '../../shared/contract/endpoint.ts';
import { publishKeys } from '../../shared/contract/endpoints/access-endpoints.ts';
import { readDocument } from '../../shared/contract/endpoints/documents-endpoints.ts';
import { showConfirmation } from '../../shared/contract/endpoints/pages-endpoints.ts';
import { createTopic, deleteTopic, listTopics } from '../../shared/contract/endpoints/topics-endpoints.ts';
import { bytes, json } from '../../shared/contract/schemas.ts';
import { removeSubscriptions } from '../../shared/contract/workers/registry-workers.ts';
import { topic } from '../../shared/domain/topics/topic.ts';
import { consume } from '../../shared/lambda/consume.ts';
import { noContent, ok } from '../../shared/lambda/reply.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { servePage } from '../../shared/lambda/serve-page.ts';
import { serveStream } from '../../shared/lambda/serve-stream.ts';
import { queues } from '../../shared/storage/queues/store.ts';
import { subscriptions } from '../../shared/storage/subscriptions/store.ts';
import { topics } from '../../shared/storage/topics/store.ts';

const aTopic = { uuid: 'u', name: 'n' };
const tagged = { etag: '"a"', 'cache-control': 'no-store' };
const twoHeaders = { link: 'l', etag: '"a"' };

export const declaredMethod = serve(listTopics, [topics], async (_request, { topics }) => {
  await topics.list({});
  return ok([]);
});

export const undeclaredMethodOfAStore = serve(listTopics, [topics], async (_request, { topics }) => {
  // @ts-expect-error listTopics uses topics:list, which does not include the method remove
  await topics.remove('uuid');
  return ok([]);
});

export const undeclaredStore = serve(createTopic, [topics, subscriptions], async (_request, { subscriptions }) => {
  // @ts-expect-error createTopic cannot use methods of the subscriptions store
  await subscriptions.remove('uuid');
  return ok({ uuid: 'u', name: 'n' });
});

export const undeclaredQueue = serve(createTopic, [topics, queues], async (_request, { queues }) => {
  // @ts-expect-error createTopic cannot send to a queue
  await queues.fanOut.send({ payload: {}, group: 'g' });
  return ok({ uuid: 'u', name: 'n' });
});

export const storeThatWasNotGiven = serve(deleteTopic, [topics], async (_request, tools) => {
  // @ts-expect-error the endpoint declares the queue, but the second argument of `serve` does not include it
  await tools.queues.cleanUp.send({ payload: { topicUuid: 'u' }, group: 'g' });
  return noContent;
});

export const workerBeyondItsUses = consume(
  removeSubscriptions,
  [subscriptions],
  async (payloads, { subscriptions }) => {
    await subscriptions.removeByTopic(
      { topicUuid: 'u', before: 'b' },
      async () => 'g',
      () => true,
    );
    // @ts-expect-error removeSubscriptions uses subscriptions:cleanUp, which does not include the method confirm
    await subscriptions.confirm('u', 'hash', 0);
    return Promise.allSettled(payloads);
  },
);

// @ts-expect-error createTopic declares no status 204
export const undeclaredStatus = serve(createTopic, [topics], async () => noContent);

// @ts-expect-error listTopics declares `link` only
export const undeclaredHeaderBeside = serve(listTopics, [topics], async () => ({ ...ok([]), headers: twoHeaders }));

// @ts-expect-error publishKeys must state how long its keys can be cached
export const missingHeader = serve(publishKeys, [], async () => ok({ keys: [] }));

export const unknownHeader = json(topic, {
  // @ts-expect-error endpoints cannot declare unknown headers, or headers that every response has
  headers: { 'x-content-type-options': z.string() },
});

// @ts-expect-error a response with bytes requires a media type
export const bytesWithoutType = bytes(['image/png'], { headers: { etag: z.string() } });

// @ts-expect-error a page is text
export const pageOfJson = servePage(showConfirmation, [], async () => ok(aTopic));

// @ts-expect-error pages require servePage, because servePage also returns errors as pages
export const pageServedAsJson = serve(showConfirmation, [], async () => ok('<!doctype html>'));

// @ts-expect-error createTopic returns JSON
export const jsonServedAsPage = servePage(createTopic, [topics], async () => ok(aTopic));

// @ts-expect-error createTopic returns JSON that matches its schema, not bytes
export const bytesOfJson = serve(createTopic, [topics], async () => ok(Readable.from([])));

// @ts-expect-error createTopic does not stream
export const jsonServedAsStream = serveStream(createTopic, [topics], async () => ok(aTopic));

// @ts-expect-error readDocument streams its bytes
export const bytesServedAsJson = serve(readDocument, [], async () => ({ status: 304 as const, headers: tagged }));

// @ts-expect-error 304 has no body
export const bodyOfNothing = serveStream(readDocument, [], async () => ({
  status: 304 as const,
  headers: tagged,
  body: Readable.from([]),
}));

// @ts-expect-error the response body of createTopic requires a name
export const bodyThatIsNotDeclared = serve(createTopic, [topics], async () => ok({ uuid: 'u' }));

export const undeclaredParameter = serve(createTopic, [topics], async ({ query }) =>
  // @ts-expect-error createTopic has no parameter `subject`
  ok({ uuid: String(query.subject), name: query.name }),
);

export const undeclaredSetting = serve(createTopic, [topics], async (_request, { settings }) =>
  // @ts-expect-error createTopic reads no settings
  ok({ uuid: String(settings.uinLength), name: 'n' }),
);

// @ts-expect-error this capability does not exist
export const unknownCapability = defineEndpoint({ ...createTopic, uses: ['topics:destroy'] });

// @ts-expect-error this scope does not exist
export const unknownScope = defineEndpoint({ ...createTopic, scopes: ['notif.topic.own'] });
