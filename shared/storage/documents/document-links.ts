import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { DocumentLink } from '../../domain/documents/document-place.ts';
import { type DynamoTable, fromItem, type Item, queryPages, readRow, toItem } from '../dynamo.ts';
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

const change = (table: DynamoTable) => ({
  /** Writes a link with a new marker, so that concurrent checks start over. Returns whether the link is new. */
  async put(link: DocumentLink, mark: string): Promise<boolean> {
    const Item = { ...keyOf(link), ...toItem({ mark }) };
    const write = new PutItemCommand({ TableName: table.TableName, Item, ReturnValues: 'ALL_OLD' });
    return (await table.client.send(write)).Attributes === undefined;
  },
  /** Writes a link with a new marker, unless the link has changed. Returns whether the link was written. */
  async renew(link: DocumentLink, mark: string, since: string | undefined): Promise<boolean> {
    return (await putIf(table, { ...keyOf(link), ...toItem({ mark }) }, unchangedSince(since))).isDone;
  },
  /** Returns the marker of a link's last change; undefined if the link does not exist. */
  async mark(link: DocumentLink): Promise<string | undefined> {
    return (await readRow(linkRow, table, keyOf(link), { ProjectionExpression: 'mark' }))?.mark;
  },
  /** Removes a link, unless the link has changed in the meantime. Returns whether the link was removed. */
  remove: (link: DocumentLink, since: string): Promise<boolean> => deleteIf(table, keyOf(link), unchangedSince(since)),
});

const read = (table: DynamoTable) => ({
  /** Lists the locations of documents that name this person as the second person. Some may no longer exist. */
  async list(secondaryUin: string): Promise<DocumentLink[]> {
    const input = {
      // Use consistent reads, because a removal must find links that have just been written.
      ConsistentRead: true,
      KeyConditionExpression: 'secondaryUin = :uin',
      ExpressionAttributeValues: { ':uin': { S: secondaryUin } },
    };
    return (await Array.fromAsync(queryPages(table, input))).flat().map(linkOf);
  },
});

export const documentLinks = tableStore('documentLinks', { change, read });
