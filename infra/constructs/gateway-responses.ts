import { type GatewayResponseOptions, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type RefusalName, refusals } from '../../shared/model/refusals.ts';

// CDK puts `gatewayresponse.header.` before these names itself.
const headers = {
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
};

/** An Error object for what the gateway itself answers. `$context` values are filled in by the gateway. */
function errorObject(refusal: RefusalName, message: string, more: Record<string, string> = {}): GatewayResponseOptions {
  const { code, status } = refusals[refusal];
  return {
    type: ResponseType.DEFAULT_4XX,
    statusCode: String(status),
    templates: { 'application/json': JSON.stringify({ code, message }) },
    responseHeaders: { ...headers, ...more },
  };
}

const unauthenticated = (message: string, challenge: string): GatewayResponseOptions =>
  errorObject('unauthenticated', message, { 'WWW-Authenticate': `'${challenge}'` });

const unexpected = errorObject('unexpected', 'unexpected error on our side; report request $context.requestId');
const unknownRoute = errorObject('unknownRoute', 'no operation has this method and path');

/** Every answer that the gateway gives without us. */
const answers: readonly (readonly [ResponseType, GatewayResponseOptions])[] = [
  [ResponseType.UNAUTHORIZED, unauthenticated('send a valid access token: Authorization: Bearer <token>', 'Bearer')],
  [ResponseType.ACCESS_DENIED, errorObject('forbidden', 'the access token needs the scope $context.authorizer.needs')],
  [ResponseType.EXPIRED_TOKEN, unauthenticated('the access token has expired', 'Bearer error="invalid_token"')],
  [
    ResponseType.INVALID_SIGNATURE,
    unauthenticated('send a valid access token: Authorization: Bearer <token>', 'Bearer'),
  ],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, unknownRoute],
  [ResponseType.RESOURCE_NOT_FOUND, unknownRoute],
  [ResponseType.REQUEST_TOO_LARGE, errorObject('bodyTooLarge', 'the body is larger than this API takes')],
  [ResponseType.THROTTLED, errorObject('throttled', 'too many requests: wait a second and try again')],
  [ResponseType.QUOTA_EXCEEDED, errorObject('throttled', 'the quota is used up: try again later')],
  [ResponseType.WAF_FILTERED, errorObject('forbidden', 'this request was filtered')],
  [ResponseType.INTEGRATION_TIMEOUT, errorObject('timedOut', 'no answer in time; try again')],
  [ResponseType.DEFAULT_5XX, unexpected],
];

// Its own status stays: many kinds of bad requests end here.
const { statusCode: _, ...badRequest } = errorObject('invalidParameter', 'bad request: $context.error.message');

/** Makes every error answer of the gateway an Error object. */
export function addGatewayResponses(api: RestApi): void {
  api.addGatewayResponse('default4xx', { ...badRequest, type: ResponseType.DEFAULT_4XX });
  for (const [type, options] of answers) {
    api.addGatewayResponse(type.responseType.toLowerCase().replaceAll('_', '-'), { ...options, type });
  }
}
