import * as z from 'zod/mini';
import { lineOfText, plainLine, uuid } from '../../domain/text.ts';
import { messageIdAnswer } from '../../model/deliveries/message-id.ts';
import { topic, topicName } from '../../model/topics/topic.ts';
import { defineEndpoint } from '../endpoint.ts';
import { idempotencyKey, nextPage, paging, textOrEmpty } from '../parameters.ts';
import { empty, json } from '../reply.ts';

export const createTopic = defineEndpoint({
  operation: 'createTopic',
  area: 'topics',
  method: 'POST',
  path: '/v1/topics',
  summary: 'Create a topic, or answer the one that already has this name',
  scopes: ['notif.topic.write'],
  request: { query: { name: topicName } },
  replies: { 200: json(topic) },
  refuses: [],
  uses: ['topics:create'],
  reads: [],
  impact: 'Publishers cannot open new topics.',
});

export const listTopics = defineEndpoint({
  operation: 'listTopics',
  area: 'topics',
  method: 'GET',
  path: '/v1/topics',
  summary: 'List all topics',
  scopes: ['notif.topic.read'],
  request: { query: paging },
  replies: { 200: json(z.array(topic), { headers: nextPage }) },
  refuses: ['answerTooLarge'],
  uses: ['topics:list'],
  reads: ['baseUrl'],
  impact: 'Nobody can see which topics there are.',
});

export const deleteTopic = defineEndpoint({
  operation: 'deleteTopic',
  area: 'topics',
  method: 'DELETE',
  path: '/v1/topics/{uuid}',
  summary: 'Delete a topic with its subscriptions',
  scopes: ['notif.topic.write'],
  request: { path: { uuid } },
  replies: { 204: empty() },
  refuses: ['unknownTopic'],
  uses: ['topics:remove', 'queues:cleanUp'],
  reads: [],
  impact: 'Topics cannot be removed.',
});

export const publishEvent = defineEndpoint({
  operation: 'publishEvent',
  area: 'topics',
  method: 'POST',
  path: '/v1/topics/{uuid}/publish',
  summary: 'Publish an event to a topic, named by its uuid or its name',
  scopes: ['notif.topic.publish'],
  request: {
    path: { uuid: lineOfText },
    query: { subject: textOrEmpty(plainLine) },
    headers: { 'idempotency-key': idempotencyKey },
    body: { text: { maxBytes: 256 * 1024 } },
  },
  replies: { 200: json(messageIdAnswer) },
  refuses: ['malformedJson', 'invalidEvent', 'unknownTopicName', 'idempotencyKeyReused'],
  uses: ['topics:read', 'ledger:open', 'messages:write', 'queues:fanOut'],
  reads: ['ledgerDays'],
  impact: 'Civil events cannot be published; publishers must try again.',
});
