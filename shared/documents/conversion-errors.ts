import { ClientError } from '../domain/client-errors.ts';

/** The file itself cannot be converted, so another attempt would fail too. */
export const unconvertible = (message: string): ClientError => new ClientError('unconvertible', message);

export const damagedDocument = (): ClientError => unconvertible('the document cannot be converted: it is damaged');

export const tooManyPixels = (most: number): ClientError =>
  unconvertible(`the document has over ${most / 1e6} megapixels on one page`);

/** The conversion ran out of time or memory, so another attempt may succeed. */
export const conversionFailed = (message: string): ClientError =>
  new ClientError('conversionFailed', `${message}: request the document in its stored format`);

export const needsMemory = (): ClientError => conversionFailed('this document needs too much memory to convert');

export const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;
