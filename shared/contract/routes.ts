import { type Endpoint, methodsOf } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

/** What the authorizer must know of an operation. */
export interface Route extends Pick<Endpoint, 'path' | 'scopes'> {
  readonly methods: ReturnType<typeof methodsOf>;
}

/** Of every operation. Nothing but plain data: the authorizer's bundle holds it ready-made, without the endpoints. */
export const routes: readonly Route[] = endpoints.map((endpoint) => ({
  path: endpoint.path,
  scopes: endpoint.scopes,
  methods: methodsOf(endpoint),
}));
