import { resourceOf } from '../../shared/contract/api-stage.ts';
import { authorizer } from '../../shared/contract/authorizer.ts';
import { readPerson } from '../../shared/contract/endpoints/persons-endpoints.ts';
import { settingVariable } from '../../shared/contract/settings.ts';
import { anIssuerKey, startKeyServer, tokenBy } from '../harness/key-server.ts';
import { readScaleOptions } from '../simulation/scale/options.ts';
import { openWorld, startAt } from '../simulation/scale/world.ts';
import { type Taken, taken } from './cost-asking.ts';
import { handlerOf } from './cost-functions.ts';
import { passTime, reallyWorking } from './cost-time.ts';

const issuer = { oidcIssuer: 'https://issuer.example.org', oidcAudience: 'registry' } as const;
const dayMs = 86_400_000;

/** Returns the cost of authorizing a token that API Gateway has not cached. The authorizer makes no billed calls. */
export async function costOfAuthorizer(): Promise<Taken> {
  const key = anIssuerKey('one');
  const server = await startKeyServer([key]);
  const facts = reallyWorking({ name: authorizer.name, timeoutMs: 29_000, handler: await handlerOf(authorizer.file) });
  const world = await openWorld({ ...readScaleOptions(['--subscribers=1']), events: 0 });
  const told = { ...issuer, oidcJwksUri: server.url };
  for (const [name, value] of Object.entries(told)) process.env[settingVariable(name as keyof typeof told)] = value;
  const times = { iat: startAt / 1000 - 60, exp: (startAt + dayMs) / 1000 };
  const claims = { iss: issuer.oidcIssuer, aud: issuer.oidcAudience, sub: 'client', ...times };
  const once = async (number: number): Promise<undefined> => {
    const token = tokenBy(key, { ...claims, jti: String(number), scope: readPerson.scopes.join(' ') });
    const { method: httpMethod, path } = readPerson;
    const methodArn = `arn:aws:execute-api:us-east-1:000000000000:api/${httpMethod}${path}`;
    const headers = { authorization: `Bearer ${token}` };
    const event = { httpMethod, headers, resource: resourceOf(path), methodArn, requestContext: { requestId: 'one' } };
    const ending = await world.platform.invoke(facts, event);
    if (!JSON.stringify(ending).includes('"Effect":"Allow"')) throw new Error(`refused: ${JSON.stringify(ending)}`);
  };
  try {
    return await passTime(world, taken(world, facts, once, {}));
  } finally {
    world.close();
    server.stop();
  }
}
