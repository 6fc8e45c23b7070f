import * as z from 'zod/mini';
import { messageIdResponse } from '../../domain/deliveries/message.ts';
import { lineOfText, plainLine, uuid } from '../../domain/text.ts';
import { topic, topicName, topicTitle } from '../../domain/topics/topic.ts';
import { defineEndpoint } from '../endpoint.ts';
import { idempotencyKey, nextPage, paging, textOrEmpty } from '../parameters.ts';
import { empty, json } from '../schemas.ts';

const messageId = '01940b6e-2f7a-7c3e-8a51-6d0f1b2c3d4e';
const example = { uuid: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61', name: 'CR', title: 'Civil registration' };

export const createTopic = defineEndpoint({
  operation: 'createTopic',
  method: 'POST',
  path: '/v1/topics',
  summary: 'Create a topic',
  description:
    "Creates a topic, or returns the existing topic with this name. If `title` is given, it replaces the topic's title.",
  scopes: ['notif.topic.write'],
  request: {
    query: {
      name: {
        schema: topicName,
        description:
          'The name of the topic: one line of text in Unicode form NFKC that does not look like a UUID or contain a URL. ' +
          'All letters of a word must belong to the same script. `subscription-status` is reserved.',
        example: 'CR',
      },
      title: {
        schema: z.optional(topicTitle),
        description:
          'The text that people see instead of the name in later emails and pages. ' +
          'Titles must have 1 to 100 characters and follow the rules for names, except the rule about scripts.',
        example: 'Civil registration',
      },
    },
  },
  replies: { 200: json(topic, { description: 'The topic.', example }) },
  errors: [],
  uses: ['topics:create'],
  reads: [],
  impact: 'Publishers cannot create topics.',
});

export const listTopics = defineEndpoint({
  operation: 'listTopics',
  method: 'GET',
  path: '/v1/topics',
  summary: 'List all topics',
  description: 'Returns all topics, or one page of topics if `limit` is given.',
  scopes: ['notif.topic.read'],
  request: { query: paging },
  replies: { 200: json(z.array(topic), { description: 'The topics.', example: [example], headers: nextPage }) },
  errors: ['answerTooLarge'],
  uses: ['topics:list'],
  reads: ['baseUrl'],
  impact: 'Clients cannot list topics.',
});

export const deleteTopic = defineEndpoint({
  operation: 'deleteTopic',
  method: 'DELETE',
  path: '/v1/topics/{uuid}',
  summary: 'Delete a topic and its subscriptions',
  description: 'Deletes a topic and its subscriptions. Deliveries in progress stop.',
  scopes: ['notif.topic.write'],
  request: {
    path: {
      uuid: {
        schema: uuid,
        description: 'The UUID of the topic, as returned by `createTopic`.',
        example: '0192d1a4-7c1b-8a4e-9c55-0f3a5d2b7e61',
      },
    },
  },
  replies: { 204: empty('The topic is deleted.') },
  errors: ['unknownTopic'],
  uses: ['topics:read', 'topics:remove', 'queues:cleanUp'],
  reads: [],
  impact: 'Topics cannot be deleted.',
});

export const publishEvent = defineEndpoint({
  operation: 'publishEvent',
  osiaId: 'publish',
  method: 'POST',
  path: '/v1/topics/{uuid}/publish',
  summary: 'Publish an event to a topic',
  description:
    'Publishes an event to every confirmed subscription of the topic. ' +
    "The event type is the value of `subject`, or the topic's name if `subject` is absent. The fields of OSIA events are checked. " +
    'The body is delivered byte for byte, regardless of its Content-Type.',
  scopes: ['notif.topic.publish'],
  request: {
    path: { uuid: { schema: lineOfText, description: 'The UUID or the name of the topic.', example: 'CR' } },
    query: {
      subject: {
        schema: textOrEmpty(plainLine),
        description: 'The subject: an event type or any other line of text. Receivers get the subject in a header.',
        example: 'liveBirth',
      },
    },
    headers: { 'idempotency-key': idempotencyKey },
    body: { text: { maxBytes: 256 * 1024 }, example: { source: 'CRVS', uin: '194837260511' } },
  },
  replies: { 200: json(messageIdResponse, { description: 'The message is stored durably.', example: { messageId } }) },
  errors: ['malformedJson', 'invalidEvent', 'unknownTopicName', 'idempotencyKeyReused'],
  uses: ['topics:read', 'deliveries:publish', 'messages:write', 'queues:fanOut'],
  reads: ['deliveryDays'],
  impact: 'Civil events cannot be published. Publishers must retry.',
});
