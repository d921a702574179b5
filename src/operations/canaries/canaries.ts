import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Periodic } from '../../platform/time/periodic.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { WorkersStore } from '../workers/workers.store.js';
import { CanariesStore } from './canaries.store.js';
import { isFull, missedCanaries } from './canary-rules.js';

/** Timeout in milliseconds. A hanging server must not delay the canaries of the others. */
const TIMEOUT_MS = 2_000;

export interface CanarySender {
  paths(): string[];
  send(path: string): Promise<'sent' | 'paused'>;
  /** Fails if the server does not answer. */
  ping(): Promise<void>;
}
export const CANARY_SENDERS = Symbol('CANARY_SENDERS');

/** `away` means that the server does not answer, `refused` that it answers and does not take the canary. */
type SendResult = 'sent' | 'paused' | 'away' | 'refused';

/** Sends canaries at intervals. Processes share the table, so a large fleet sends no more than one process. */
@Injectable()
export class Canaries implements OnApplicationBootstrap {
  private readonly returned = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CANARY_SENDERS) private readonly senders: CanarySender[],
    private readonly periodic: Periodic,
    private readonly store: CanariesStore,
    private readonly workers: WorkersStore,
  ) {}

  onApplicationBootstrap() {
    const { roles, canaryMs } = this.config;
    if (roles.has('worker') || roles.has('scheduler')) this.periodic.everyHere(canaryMs, 'canaries', () => this.send());
  }

  async send(): Promise<void> {
    const senderOf = new Map(this.senders.flatMap((sender) => sender.paths().map((path) => [path, sender] as const)));
    const paths = await this.store.takeDue([...senderOf.keys()], this.config.canaryMs);
    if (!paths.length) return;
    const results = await Promise.all(paths.map((path) => attempt(senderOf.get(path), path)));
    const those = (result: SendResult) => paths.filter((_, at) => results[at] === result);
    const someoneIsThere = (await this.workers.known()).some(({ isThere }) => isThere);
    const excused = someoneIsThere ? those('away') : paths;
    await this.store.note({ paused: those('paused'), excused, sent: those('sent') });
  }

  /** Returns the paths whose canary this process misses, apart from queues whose workers are all busy. */
  async missed(): Promise<string[]> {
    const { alerts, canaryMs } = this.config;
    const paths = this.senders.flatMap((sender) => sender.paths());
    const seen = { known: this.returned, limitMs: alerts.canaryMs + 2 * canaryMs };
    const missed = missedCanaries(paths, await this.store.read(), seen);
    if (!missed.length) return [];
    const workers = await this.workers.known();
    return missed.filter((path) => !isFull(path, workers));
  }
}

/** A canary that cannot be sent does not return either, which is what the alerts look at. */
async function attempt(sender: CanarySender | undefined, path: string): Promise<SendResult> {
  if (!sender) return 'refused';
  try {
    return await withTimeout(sender.send(path), TIMEOUT_MS);
  } catch {
    return withTimeout(sender.ping(), TIMEOUT_MS).then(
      () => 'refused',
      () => 'away',
    );
  }
}
