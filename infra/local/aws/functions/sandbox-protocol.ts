export interface SandboxData {
  entry: string;
  handlerName: string;
  functionName: string;
  functionArn: string;
  memorySize: number;
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

/** The result of an invocation: the handler's result as JSON text, or Lambda's error object. */
export type Outcome = { payload: string; failure?: undefined } | { failure: Failure; payload?: undefined };

export type ToSandbox = { kind: 'call'; requestId: string; event: string; deadline: number } | { kind: 'taken' };
export type FromSandbox =
  | { kind: 'chunk'; bytes: Uint8Array }
  | { kind: 'ready' }
  | { kind: 'broken'; failure: Failure }
  | { kind: 'failure'; failure: Failure }
  | { kind: 'result'; payload: string };

export type OnChunk = (bytes: Uint8Array) => Promise<void>;

export interface Sandbox {
  ready: Promise<unknown>;
  /**
   * Runs an invocation. A sandbox can run only one invocation at a time. Calls `onChunk` with each chunk that the
   * function streams.
   */
  invoke(event: string, onChunk?: OnChunk): Promise<Outcome>;
  isAlive(): boolean;
  /** Returns true if the current call has been running for `forMs` milliseconds and has mostly waited for I/O. */
  isBlocked(forMs: number): boolean;
  terminate(): Promise<void>;
}
