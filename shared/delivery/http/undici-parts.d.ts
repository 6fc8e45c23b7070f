// Internal modules of undici. Loading only these modules takes 30 ms of CPU time; loading all of undici takes 50 ms.

declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';

  export = Agent;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';

  export = buildConnector;
}
