/** A server that belongs to the tests. It can be killed and restarted on the same port and data. */
export interface PrivateServer {
  start(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: the server neither answers nor closes connections until it is thawed. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  isRunning(): Promise<boolean>;
  /** The end of its output. */
  lastWords(): Promise<string>;
}
