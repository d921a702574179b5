import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { ApiError, type FieldError } from '../../platform/errors/api-error.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import type { Account } from '../accounts/accounts.table.js';
import { ownerOf, Secrets } from '../accounts/secrets.js';
import type { Content, Platform } from '../platform.js';
import { findPlatform } from '../platforms.js';
import { checkMedia, type MediaCheck } from './check-media.js';

const MAX_ERRORS = 20;

interface ContentCheckOptions {
  content: Content;
  /** Addresses of files are checked in any case. */
  checkMedia: boolean;
  /** Errors name the position of an account in a list. */
  several: boolean;
}

@Injectable()
export class TargetAccounts {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly http: HttpClient,
    private readonly secrets: Secrets,
    private readonly accounts: AccountsStore,
  ) {}

  /** `pathOf` names the field of the request that holds an id. */
  async find(userId: string, ids: string[], pathOf: (at: number) => string): Promise<Account[]> {
    const found = await this.known(userId, ids);
    const missing = ids.filter((id) => !found.has(id));
    if (!missing.length) return ids.flatMap((id) => found.get(id) ?? []);
    const errors = missing.map((id) => ({ path: pathOf(ids.indexOf(id)), message: `you have no account ${id}` }));
    throw new ApiError('not_found', `You have no account ${missing[0]}.`, { errors });
  }

  async known(userId: string, ids: string[]): Promise<Map<string, Account>> {
    return new Map((await this.accounts.findAll(userId, ids)).map((account) => [account.id, account]));
  }

  /** Checks many posts: credentials are decrypted once for each account, and files are not requested. */
  bulkCheck(): (account: Account, content: Content) => FieldError[] {
    const checks = new Map<string, (content: Content) => FieldError[]>();
    return (account, content) => {
      const check = checks.get(account.id) ?? this.checkOf(account);
      checks.set(account.id, check);
      return [...check(content), ...this.refusedAddresses(content)];
    };
  }

  private checkOf(account: Account): (content: Content) => FieldError[] {
    try {
      const platform = this.working(account, { at: 0, several: false });
      const credentials = platform.credentials.parse(this.secrets.open(account.credentials, ownerOf(account)));
      return (content) =>
        platform.check(content, credentials).map(({ path, message }) => ({ path: `content.${path}`, message }));
    } catch (error) {
      if (error instanceof ApiError && error.errors) return () => error.errors ?? [];
      throw error;
    }
  }

  /** Takes the accounts in the order of the request, because errors name their position. */
  async check(accounts: Account[], { content, several, checkMedia: isLooking }: ContentCheckOptions): Promise<void> {
    const targets = accounts.map((account, at) => ({ account, at, platform: this.working(account, { at, several }) }));
    const errors = targets.flatMap(({ account, at, platform }) => {
      const credentials = platform.credentials.parse(this.secrets.open(account.credentials, ownerOf(account)));
      return platform.check(content, credentials).map(({ path, message }) => ({
        path: several ? `accounts.${at}.content.${path}` : `content.${path}`,
        message: several ? `${message} (account ${account.id}, ${account.name})` : message,
      }));
    });
    errors.push(...this.refusedAddresses(content));
    // Files are requested only if the rest could be sent.
    if (!errors.length && isLooking) {
      errors.push(...(await this.mediaProblems(content, new Set(targets.map(({ platform }) => platform)))));
    }
    if (errors.length) throw refused(errors);
  }

  private working(account: Account, { at, several }: { at: number; several: boolean }): Platform {
    const platform = findPlatform(account.platform);
    const isReadable = this.secrets.knows(account.credentials);
    if (platform && isReadable && account.status === 'active') return platform;
    const why = isReadable ? account.lastError : 'its credentials were encrypted with a key that is missing';
    const message = `the account ${account.id}, ${account.name}, does not work: ${why}`;
    throw new ApiError('account_broken', message, {
      errors: [{ path: several ? `accountIds.${at}` : 'accountId', message }],
    });
  }

  private refusedAddresses({ mediaUrls }: Content): FieldError[] {
    return mediaUrls.flatMap((url, at) => {
      try {
        this.http.checkAddress(url);
        return [];
      } catch (error) {
        if (error instanceof OutgoingRequestError) return [{ path: `content.mediaUrls.${at}`, message: error.message }];
        throw error;
      }
    });
  }

  private async mediaProblems({ mediaUrls }: Content, platforms: Set<Platform>): Promise<FieldError[]> {
    const seen = await checkMedia(mediaUrls, { http: this.http, mostBytes: this.config.mediaBytes });
    return mediaUrls.flatMap((url, at) => {
      const message = problemOf(seen.get(url) ?? {}, [...platforms]);
      return message === undefined ? [] : [{ path: `content.mediaUrls.${at}`, message }];
    });
  }
}

function problemOf({ problem, type }: MediaCheck, platforms: Platform[]): string | undefined {
  if (problem !== undefined) return `the file cannot be had: ${problem}`;
  const against = platforms.find(({ accepts: { media } }) => type && media.kinds && !isOneOf(type, media.kinds));
  return against && `it is ${type}, and ${against.label} takes ${against.accepts.media.kinds?.join(', ')}`;
}

const isOneOf = (type: string, kinds: string[]) => kinds.some((kind) => type.startsWith(`${kind}/`));

function refused(errors: FieldError[]): ApiError {
  const named = errors.slice(0, MAX_ERRORS);
  const more = errors.length > named.length ? `; and ${errors.length - named.length} more` : '';
  const detail = named.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new ApiError('content_refused', detail + more, { errors: named });
}
