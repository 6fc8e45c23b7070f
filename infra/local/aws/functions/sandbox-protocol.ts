export interface SandboxData {
  entry: string;
  handlerName: string;
  functionName: string;
  functionArn: string;
  memorySize: number;
  /** LoggingConfig.LogFormat is JSON. */
  hasJsonLogs: boolean;
}

export interface SandboxSpec extends SandboxData {
  timeoutSeconds: number;
  environment: Record<string, string>;
}

export interface Failure {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

/** What an invocation came to: the JSON text of the handler's result, or Lambda's error object. */
export type Outcome = { payload: string; failure?: undefined } | { failure: Failure; payload?: undefined };

export type ToSandbox =
  | { kind: 'call'; requestId: string; event: string; deadline: number }
  /** The last chunk was taken: the next may come. */
  | { kind: 'taken' };
export type FromSandbox =
  | { kind: 'chunk'; bytes: Uint8Array }
  | { kind: 'ready' }
  | { kind: 'broken'; failure: Failure }
  | { kind: 'failure'; failure: Failure }
  | { kind: 'result'; payload: string };

export type TakeChunk = (bytes: Uint8Array) => Promise<void>;

export interface Sandbox {
  /** Settles when its code is loaded, or has failed to. */
  ready: Promise<unknown>;
  /**
   * One invocation at a time; the caller waits for the outcome before the next. What a function streams goes to `take`, chunk
   * by chunk, each once the one before is taken.
   */
  invoke(event: string, take?: TakeChunk): Promise<Outcome>;
  isAlive(): boolean;
  /** Whether it has been on its call for so long, and mostly waited for somebody else. */
  isHeldUp(forMs: number): boolean;
  terminate(): Promise<void>;
}
