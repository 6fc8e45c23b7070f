import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

// The baseline is a minimal function that reads one row, written as most developers would write it.

const client = new DynamoDBClient({});

export const handler = async ({ pathParameters }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const Key = { id: { S: `person#${pathParameters?.uin}` } };
  const { Item } = await client.send(new GetItemCommand({ TableName: process.env.PERSONS_TABLE, Key }));
  return { statusCode: Item === undefined ? 404 : 200, body: JSON.stringify(Item) };
};
