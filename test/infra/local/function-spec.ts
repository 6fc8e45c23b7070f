import { pathToFileURL } from 'node:url';

/** Returns the specification of a function whose code is in this file. */
export const specOf = (file: string, environment: Readonly<Record<string, string>> = {}) => ({
  ...{ entry: pathToFileURL(file).href, handlerName: 'handler', functionName: 'tried', environment },
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:tried',
  ...{ memorySize: 256, hasJsonLogs: false, timeoutSeconds: 10 },
});
