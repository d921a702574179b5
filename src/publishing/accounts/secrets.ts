import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { decrypt, encrypt, isCurrent } from './encryption.js';
import { loadSecretKeys, type SecretKey } from './secret-keys.js';

@Injectable()
export class Secrets implements OnModuleInit {
  private keys: SecretKey[] = [];

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'secretKeys' | 'dataDir'>) {}

  async onModuleInit() {
    this.keys = await loadSecretKeys(this.config);
  }

  /** `owner` is the user and the platform that the credentials belong to. */
  seal(credentials: unknown, owner: string): string {
    return encrypt(credentials, this.keys, owner);
  }

  open(sealed: string, owner: string): unknown {
    return decrypt(sealed, this.keys, owner);
  }

  isCurrent(sealed: string): boolean {
    return isCurrent(sealed, this.keys);
  }

  knows(sealed: string): boolean {
    return this.keys.some(({ id }) => sealed.startsWith(`${id}.`));
  }

  get currentPrefix(): string {
    return `${this.keys[0]?.id}.`;
  }
}

export const ownerOf = ({ userId, platform }: { userId: string; platform: string }) => `${platform} of ${userId}`;
