import { Inject, Injectable } from '@nestjs/common';
import type { FieldError } from '../errors/api-error.js';
import { LOG, type Log } from '../log/log.js';
import { withTimeout } from '../time/with-timeout.js';

/** Resolves to why the component is not ready, in words for anyone, or to undefined. It may throw. */
type ReadinessCheck = () => Promise<string | undefined>;

const TIMEOUT_MS = 2000;

type ReadinessWarning = () => string | undefined;

@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private readonly warners = new Map<string, ReadinessWarning>();
  /** Concurrent probes share one check, so that a stuck component is not asked repeatedly. */
  private readonly running = new Map<ReadinessCheck, Promise<string | undefined>>();
  private readonly failing = new Set<string>();
  private leaving = false;

  constructor(@Inject(LOG) private readonly log: Log) {}

  register(component: string, check: ReadinessCheck): void {
    this.checks.set(component, check);
  }

  registerWarning(component: string, warning: ReadinessWarning): void {
    this.warners.set(component, warning);
  }

  warnings(): FieldError[] {
    return [...this.warners].flatMap(([path, warning]) => {
      const message = warning();
      return message === undefined ? [] : [{ path, message }];
    });
  }

  leave(): void {
    this.leaving = true;
  }

  get isLeaving(): boolean {
    return this.leaving;
  }

  async problems(): Promise<FieldError[]> {
    if (this.leaving) return [{ path: 'process', message: 'is stopping' }];
    const answers = await Promise.all([...this.checks].map(([component, check]) => this.ask(component, check)));
    return answers.filter((answer) => answer !== undefined);
  }

  private async ask(component: string, check: ReadinessCheck): Promise<FieldError | undefined> {
    let failure: unknown;
    const tooSlow = () => `did not answer within ${TIMEOUT_MS} ms`;
    const message = await withTimeout(this.run(check), TIMEOUT_MS, tooSlow).catch((error: unknown) => {
      failure = error;
      return 'does not answer';
    });
    this.logChange(component, message, failure);
    return message === undefined ? undefined : { path: component, message };
  }

  private run(check: ReadinessCheck): Promise<string | undefined> {
    const running = this.running.get(check) ?? check().finally(() => this.running.delete(check));
    this.running.set(check, running);
    return running;
  }

  /** Probes come every few seconds, so only changes are logged. */
  private logChange(component: string, message: string | undefined, err: unknown): void {
    if (this.failing.has(component) === (message !== undefined)) return;
    if (message === undefined) {
      this.failing.delete(component);
      this.log.info({ event: 'component_ready', component }, 'A component is ready again');
    } else {
      this.failing.add(component);
      this.log.warn({ event: 'component_not_ready', component, reason: message, err }, 'A component is not ready');
    }
  }
}
