import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { defineStore } from '../../contract/define-store.ts';
import type { DocumentLink } from '../../domain/documents/document-place.ts';
import { fromItem, type Item, queryPages, readRow, toItem } from '../dynamo.ts';
import { tableStore } from '../table-store.ts';
import { deleteIf, putIf } from '../writes.ts';

export const linkRow = z.object({ mark: z.string() });
export const linkPlace = z.object({ secondaryUin: z.string(), place: z.string() });

const keyOf = ({ secondaryUin, uin, doctype }: DocumentLink): Item =>
  toItem({ secondaryUin, place: `${uin}/${doctype}` });

function linkOf(item: Item): DocumentLink {
  const { secondaryUin, place } = fromItem(linkPlace, item);
  const [uin = '', doctype = ''] = place.split('/');
  return { uin, doctype, secondaryUin };
}

const unchangedSince = (mark: string | undefined) =>
  mark === undefined
    ? { condition: 'attribute_not_exists(#secondaryUin)' }
    : { condition: '#mark = :mark', values: { mark } };

const change = (client: DynamoDBClient, table: string) => ({
  /** Writes a link with a new marker, so that concurrent checks start over. Returns whether the link is new. */
  async put(link: DocumentLink, mark: string): Promise<boolean> {
    const Item = { ...keyOf(link), ...toItem({ mark }) };
    const write = new PutItemCommand({ TableName: table, Item, ReturnValues: 'ALL_OLD' });
    return (await client.send(write)).Attributes === undefined;
  },
  /** Writes a link with a new marker, unless the link has changed. Returns whether the link was written. */
  async renew(link: DocumentLink, mark: string, since: string | undefined): Promise<boolean> {
    return (await putIf(client, table, { ...keyOf(link), ...toItem({ mark }) }, unchangedSince(since))).isDone;
  },
  /** Returns the marker of a link's last change; undefined if the link does not exist. */
  async mark(link: DocumentLink): Promise<string | undefined> {
    return (await readRow(linkRow, client, table, keyOf(link), { ProjectionExpression: 'mark' }))?.mark;
  },
  /** Removes a link, unless the link has changed in the meantime. Returns whether the link was removed. */
  remove: (link: DocumentLink, since: string): Promise<boolean> =>
    deleteIf(client, table, keyOf(link), unchangedSince(since)),
});

const read = (client: DynamoDBClient, table: string) => ({
  /** Lists the locations of documents that name this person as the second person. Some may no longer exist. */
  async list(secondaryUin: string): Promise<DocumentLink[]> {
    const input = {
      TableName: table,
      // Use consistent reads, because a removal must find links that have just been written.
      ConsistentRead: true,
      KeyConditionExpression: 'secondaryUin = :uin',
      ExpressionAttributeValues: { ':uin': { S: secondaryUin } },
    };
    return (await Array.fromAsync(queryPages(client, input))).flat().map(linkOf);
  },
});

export const documentLinks = defineStore({ name: 'documentLinks', ...tableStore, permissions: { change, read } });
