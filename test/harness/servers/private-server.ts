/** A server that belongs to the tests and can be killed and started again on the same port and data. */
export interface PrivateServer {
  start(): Promise<void>;
  /** As `kill -9` does. */
  kill(): Promise<void>;
  /** As SIGSTOP does: it neither answers nor hangs up, until it is thawed. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  isRunning(): Promise<boolean>;
  /** The end of what it printed. */
  lastWords(): Promise<string>;
}
