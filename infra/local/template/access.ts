import type { AwsReply, Service } from '../aws/emulators/aws-call.ts';
import { type AccessRequest, evaluate } from '../aws/template/policy.ts';
import type { Stack } from '../aws/template/stack.ts';
import { readFunctionGrants } from './grants.ts';

/** Who may do what, as the template's roles say. Functions are known by their logical id. */
export interface Access {
  functionNameOf(logicalId: string): string | undefined;
  firstRefusal(logicalId: string, needs: AccessRequest[]): AccessRequest | undefined;
}

export function readAccess(stack: Stack): Access {
  const grants = readFunctionGrants(stack);
  return {
    functionNameOf: (logicalId) =>
      grants.has(logicalId) ? stack.template.resources.get(logicalId)?.constructId : undefined,
    firstRefusal: (logicalId, needs) => needs.find((need) => evaluate(grants.get(logicalId) ?? [], need) !== 'allowed'),
  };
}

/** The refusal in the words and the wire format of the service. */
export function accessDenied(service: Service, functionName: string, { action, resources }: AccessRequest): AwsReply {
  const message =
    `User: ${functionName} is not authorized to perform: ${action} on resource: ${resources[0]} ` +
    `because no identity-based policy allows the ${action} action`;
  if (service === 'dynamodb' || service === 'sqs' || service === 'sesv2' || service === 'secretsmanager') {
    const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message });
    return { status: service === 'sqs' || service === 'sesv2' ? 403 : 400, body };
  }
  const error = `<Code>AccessDenied</Code><Message>${message}</Message>`;
  const body =
    service === 's3'
      ? `<?xml version="1.0" encoding="UTF-8"?><Error>${error}</Error>`
      : `<ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"><Error><Type>Sender</Type>${error}</Error></ErrorResponse>`;
  return { status: 403, body, headers: { 'content-type': service === 's3' ? 'application/xml' : 'text/xml' } };
}
