import type { IncomingMessage, ServerResponse } from 'node:http';

/** What API Gateway routes by: the path below its stage, which is the first segment; undefined outside the stage. */
export function pathInStage(publicPath: string, stage: string): string | undefined {
  const mount = `/${stage}`;
  if (publicPath === mount) return '/';
  return publicPath.startsWith(`${mount}/`) ? publicPath.slice(mount.length) : undefined;
}

/** Outside its stages API Gateway answers by itself, and no gateway response of the template has a say in it. */
export function answerOutside(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ message: 'Forbidden' });
  response.writeHead(403, {
    'Content-Type': 'application/json',
    'x-amzn-ErrorType': 'ForbiddenException',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
