import { beforeAll, expect, test } from 'vitest';
import { methodsOf } from '../../shared/contract/endpoint.ts';
import { endpoints } from '../../shared/contract/endpoints.ts';
import { type Properties, type Resources, synthesizeTemplate } from '../harness/template.ts';

let template: Resources;
beforeAll(async () => {
  template = await synthesizeTemplate();
});

const properties = (type: string): Properties[] => template.ofType(type).map((one) => one.properties);
const baseUrlOf = ({ ofType }: Resources, name: string): unknown =>
  ofType('AWS::Lambda::Function').find((one) => one.name === name)?.properties.Environment.Variables.BASE_URL;

/** Returns the methods and paths that API Gateway serves, derived from the stage and the resources. */
function served(): string[] {
  const [stage] = properties('AWS::ApiGateway::Stage');
  const resources = new Map(template.ofType('AWS::ApiGateway::Resource').map(({ id, ...one }) => [id, one.properties]));
  const pathOf = (id: string): string => {
    const { PathPart, ParentId } = resources.get(id) ?? {};
    return PathPart === undefined ? `/${stage?.StageName}` : `${pathOf(ParentId.Ref)}/${PathPart}`;
  };
  const methods = properties('AWS::ApiGateway::Method');
  return methods.map(({ HttpMethod, ResourceId }) => `${HttpMethod} ${pathOf(ResourceId.Ref)}`);
}

test("the base address is the address of the API, and API Gateway serves exactly the contract's paths below it", () => {
  const routes = endpoints.flatMap((one) => methodsOf(one).map((method) => `${method} ${one.path}`));
  expect(served().toSorted()).toEqual(routes.toSorted());
  const [api] = template.ofType('AWS::ApiGateway::RestApi');
  const domain = [{ Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }];
  const parts = ['https://', { Ref: api?.id }, '.execute-api.', ...domain];
  expect(baseUrlOf(template, 'requestConfirmationByHttp')).toEqual({ 'Fn::Join': ['', parts] });
  expect(template.outputs.baseUrl.Value).toEqual({ 'Fn::Join': ['', parts] });
  const others = Object.entries<Properties>(template.outputs).filter(([name]) => name !== 'baseUrl');
  expect(JSON.stringify(others)).not.toContain('execute-api');
});

test('the baseUrl setting overrides the base address of the API', async () => {
  const baseUrl = 'https://registry.example.org/civil';
  const own = await synthesizeTemplate({ baseUrl });
  expect(baseUrlOf(own, 'requestConfirmationByHttp')).toBe(baseUrl);
  expect(own.outputs.baseUrl.Value).toBe(baseUrl);
});

test('every route has a throttling limit, and public or costly routes have a lower limit', () => {
  const settings = properties('AWS::ApiGateway::Stage').flatMap(({ MethodSettings }): Properties[] => MethodSettings);
  const isLimited = ({ ThrottlingRateLimit }: Properties) => ThrottlingRateLimit !== undefined;
  const [usual, ...limited] = settings.filter(isLimited);
  expect([usual?.HttpMethod, usual?.ResourcePath, usual?.ThrottlingRateLimit]).toEqual(['*', '/*', 2000]);
  expect(new Set(limited.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit))).toEqual(new Set([50]));
  const close = endpoints.filter(({ scopes, isCostly }) => scopes.length === 0 || isCostly);
  expect(close.filter(({ isCostly }) => isCostly)).not.toHaveLength(0);
  // In paths, CloudFormation writes `~1` instead of every slash except the first.
  expect(limited.map(({ HttpMethod, ResourcePath }) => `${HttpMethod} ${ResourcePath}`).toSorted()).toEqual(
    close
      .flatMap((endpoint) => methodsOf(endpoint).map((method) => ({ method, path: endpoint.path })))
      .map(({ method, path }) => `${method} /${path.replace('/v1', '').replaceAll('/', '~1')}`)
      .toSorted(),
  );
});
