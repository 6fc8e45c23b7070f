import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
} from '@aws-sdk/client-dynamodb';
import { defineStore } from '../../contract/define-store.ts';
import type { DocumentLink } from '../../domain/documents/document-link.ts';
import { fromItem, type Item, toItem, unlessConflict } from '../dynamo.ts';
import { overTable } from '../table-store.ts';
import { linkPlace, linkRow } from './row-schemas.ts';

const keyOf = ({ secondaryUin, uin, doctype }: DocumentLink): Item =>
  toItem({ secondaryUin, place: `${uin}/${doctype}` });

function linkOf(item: Item): DocumentLink {
  const { secondaryUin, place } = fromItem(linkPlace, item);
  const [uin = '', doctype = ''] = place.split('/');
  return { uin, doctype, secondaryUin };
}

/** Holds while the link is as a look found it. */
const unchangedSince = (mark: string | undefined) =>
  mark === undefined
    ? { ConditionExpression: 'attribute_not_exists(secondaryUin)' }
    : { ConditionExpression: 'mark = :mark', ExpressionAttributeValues: { ':mark': { S: mark } } };

const link = (client: DynamoDBClient, table: string) => ({
  /** Writes a link with a new mark, whatever its mark was: a look that began before does so again. Whether there was none. */
  async put(link: DocumentLink, mark: string): Promise<boolean> {
    const Item = { ...keyOf(link), ...toItem({ mark }) };
    const write = new PutItemCommand({ TableName: table, Item, ReturnValues: 'ALL_OLD' });
    return (await client.send(write)).Attributes === undefined;
  },
});

const keep = (client: DynamoDBClient, table: string) => ({
  ...link(client, table),
  /** Writes a link with a new mark unless somebody changed it since; whether it did. */
  async renew(link: DocumentLink, mark: string, since: string | undefined): Promise<boolean> {
    const Item = { ...keyOf(link), ...toItem({ mark }) };
    const write = client.send(new PutItemCommand({ TableName: table, Item, ...unchangedSince(since) }));
    return (await unlessConflict(write)).isDone;
  },
  /** What the last change of a link marked it with; undefined where there is no such link. */
  async mark(link: DocumentLink): Promise<string | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: keyOf(link), ConsistentRead: true, ProjectionExpression: 'mark' }),
    );
    return Item === undefined ? undefined : fromItem(linkRow, Item).mark;
  },
  /** Removes a link unless somebody changed it since; whether it did. */
  async remove(link: DocumentLink, since: string): Promise<boolean> {
    const write = client.send(new DeleteItemCommand({ TableName: table, Key: keyOf(link), ...unchangedSince(since) }));
    return (await unlessConflict(write)).isDone;
  },
});

const read = (client: DynamoDBClient, table: string) => ({
  /** Where documents lie that are stored under others and name a person as the second: the bucket says whether they are there still. */
  async list(secondaryUin: string): Promise<DocumentLink[]> {
    const asked = {
      TableName: table,
      // A merge must find what was linked just before.
      ConsistentRead: true,
      KeyConditionExpression: 'secondaryUin = :uin',
      ExpressionAttributeValues: { ':uin': { S: secondaryUin } },
    };
    const pages = await Array.fromAsync(paginateQuery({ client }, asked));
    return pages.flatMap(({ Items = [] }) => Items.map(linkOf));
  },
});

export const documentLinks = defineStore({ name: 'documentLinks', ...overTable, permissions: { link, keep, read } });
