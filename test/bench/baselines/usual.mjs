import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import * as z from 'zod';

// The same read with the libraries that tutorials of serverless APIs recommend.

const logger = new Logger({ serviceName: 'registry' });
const metrics = new Metrics({ namespace: 'registry', serviceName: 'registry' });
const tracer = new Tracer({ serviceName: 'registry' });
const client = DynamoDBDocumentClient.from(tracer.captureAWSv3Client(new DynamoDBClient({})));

const request = z.object({
  uin: z.string().min(1).max(256),
  attributeNames: z.array(z.string().min(1).max(64)).min(1),
});
const person = z.object({ uin: z.string(), attributes: z.record(z.string(), z.union([z.string(), z.number()])) });

const read = async (event) => {
  const { uin } = request.parse({
    uin: event.pathParameters?.uin,
    attributeNames: event.multiValueQueryStringParameters?.attributeNames,
  });
  const { Item } = await client.send(
    new GetCommand({ TableName: process.env.PERSONS_TABLE, Key: { id: `person#${uin}` } }),
  );
  metrics.addMetric('read', MetricUnit.Count, 1);
  logger.info('answered');
  return { statusCode: 200, body: JSON.stringify(person.parse(Item).attributes) };
};

export const handler = middy(read)
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics))
  .use(captureLambdaHandler(tracer))
  .use(httpHeaderNormalizer())
  // A read has no body.
  .use(httpJsonBodyParser({ disableContentTypeError: true }))
  .use(httpErrorHandler());
