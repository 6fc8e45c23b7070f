import { type Endpoint, methodsOf } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

/** The fields of an operation that the authorizer needs. */
export interface Route extends Pick<Endpoint, 'path' | 'scopes'> {
  readonly methods: ReturnType<typeof methodsOf>;
}

/** The routes are plain data, so that the bundle of the authorizer does not need to contain the endpoints. */
export const routes: readonly Route[] = endpoints.map((endpoint) => ({
  path: endpoint.path,
  scopes: endpoint.scopes,
  methods: methodsOf(endpoint),
}));
