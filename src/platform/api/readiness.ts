import { Inject, Injectable } from '@nestjs/common';
import type { FieldError } from '../errors/api-error.js';
import { LOG, type Log } from '../log/log.js';
import { withTimeout } from '../time/with-timeout.js';

/**
 * Resolves to the reason why the component is not ready, as text for anyone, or to undefined if it is ready. It may
 * throw.
 */
type ReadinessCheck = () => Promise<string | undefined>;

const TIMEOUT_MS = 2000;

/** Returns why a component works badly although the process is ready. */
type ReadinessWarning = () => string | undefined;

/** Checks what must work before requests are sent to this process. Components register themselves. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private readonly warners = new Map<string, ReadinessWarning>();
  /** Concurrent probes share one check, so that a stuck component is not asked repeatedly. */
  private readonly running = new Map<ReadinessCheck, Promise<string | undefined>>();
  private readonly failing = new Set<string>();
  private leaving = false;

  constructor(@Inject(LOG) private readonly log: Log) {}

  register(part: string, check: ReadinessCheck): void {
    this.checks.set(part, check);
  }

  registerWarning(part: string, warning: ReadinessWarning): void {
    this.warners.set(part, warning);
  }

  warnings(): FieldError[] {
    return [...this.warners].flatMap(([path, warning]) => {
      const message = warning();
      return message === undefined ? [] : [{ path, message }];
    });
  }

  /** Marks the process as stopping. It does not become ready again. */
  leave(): void {
    this.leaving = true;
  }

  get isLeaving(): boolean {
    return this.leaving;
  }

  async problems(): Promise<FieldError[]> {
    if (this.leaving) return [{ path: 'process', message: 'is stopping' }];
    const answers = await Promise.all([...this.checks].map(([part, check]) => this.ask(part, check)));
    return answers.filter((answer) => answer !== undefined);
  }

  private async ask(part: string, check: ReadinessCheck): Promise<FieldError | undefined> {
    let failure: unknown;
    const tooSlow = () => `did not answer within ${TIMEOUT_MS} ms`;
    const message = await withTimeout(this.run(check), TIMEOUT_MS, tooSlow).catch((error: unknown) => {
      failure = error;
      return 'does not answer';
    });
    this.logChange(part, message, failure);
    return message === undefined ? undefined : { path: part, message };
  }

  private run(check: ReadinessCheck): Promise<string | undefined> {
    const running = this.running.get(check) ?? check().finally(() => this.running.delete(check));
    this.running.set(check, running);
    return running;
  }

  /** Probes come every few seconds, so only changes are logged. */
  private logChange(part: string, message: string | undefined, err: unknown): void {
    if (this.failing.has(part) === (message !== undefined)) return;
    if (message === undefined) {
      this.failing.delete(part);
      this.log.info({ event: 'component_ready', part }, 'ready again');
    } else {
      this.failing.add(part);
      this.log.warn({ event: 'component_not_ready', part, reason: message, err }, 'not ready');
    }
  }
}
