import type { z } from 'zod';
import type { HttpClient } from '../platform/http/http-client.js';
import { redactText } from '../platform/redact.js';

export interface Content {
  text: string;
  mediaUrls: string[];
  link?: string | undefined;
  title?: string | undefined;
}

export interface PublishCommand<Credentials = unknown, Progress = unknown> {
  content: Content;
  credentials: Credentials;
  /** Identifies this publication in all its attempts: 32 lower-case hexadecimal digits. */
  key: string;
  /** The time of the first intent to publish. Undefined if there was none. */
  intendedAt: Date | undefined;
  /** For `find`: ids of posts that belong to other publications of the account. */
  others?: ReadonlySet<string> | undefined;
  /** For `find`: contents of the account's other publications whose calls have an unknown outcome. */
  pending?: readonly Content[] | undefined;
  /** For `find`: no call can have published the post after this time. */
  calledUntil?: Date | undefined;
  progress: Progress | undefined;
}

export interface Published {
  postId: string;
  url?: string | undefined;
}

export interface PlatformTools {
  http: Pick<HttpClient, 'get' | 'request'>;
  config: PlatformConfig;
  /** Fetches a file of the content through the guarded client. It fails with a PublishFailure. */
  media(url: string): Promise<MediaFile>;
  /** Waits unless the run is aborted. Some platforms take a while to process uploads. */
  pause(ms: number): Promise<void>;
  now(): Date;
  signal: AbortSignal;
}

export interface MediaFile {
  bytes: Uint8Array;
  type: string;
  name: string;
}

export interface PlatformConfig {
  facebookUrl: string;
  instagramUrl: string;
  linkedinUrl: string;
  youtubeApiUrl: string;
  googleTokenUrl: string;
}

/** A reason why content is invalid: its field, such as `text` or `mediaUrls.0`, and a message that says by how much. */
export interface ContentProblem {
  path: string;
  message: string;
}

type FileKind = 'image' | 'video' | 'audio';

/** A summary of what a platform accepts, for people and forms. `check` decides, and checks more. */
export interface Accepts {
  /** The maximum length of the text, including the link where it becomes part of the text. Null means no limit. */
  text: { most: number | null; unit: 'characters' | 'bytes' };
  /** Undefined if posts have no title. */
  title?: { most: number; isNeeded: boolean };
  /** If `kinds` is null, any file is accepted. */
  media: { least: number; most: number | null; kinds: FileKind[] | null };
}

export interface AnnouncedLimit {
  remaining: number;
  until: Date;
}

/**
 * A platform plug-in. Each call fails with a PublishFailure or an OutgoingRequestError and never retries by itself.
 * `prepare` may make several calls, each of which can be repeated without visible effect. `publish` makes the one
 * call that publishes the post.
 */
export interface Platform<Credentials = unknown, Progress = unknown> {
  readonly name: string;
  readonly label: string;
  /** Validates credentials and converts them to the shape that the other functions take. */
  readonly credentials: z.ZodType<Credentials>;
  /** The default limit, for the platform as a whole and for each user, unless the configuration sets another. */
  readonly limit?: { most: number; windowMs: number } | undefined;
  readonly workers: number;
  readonly accepts: Accepts;
  check(content: Content, credentials: Credentials): ContentProblem[];
  /** Asks the platform whose credentials these are, which shows that they work. */
  whose(credentials: Credentials, tools: PlatformTools): Promise<{ id: string; name: string }>;
  /**
   * Returns new credentials, before the old ones expire or after the platform refused them. Undefined if no renewal
   * is needed.
   */
  refresh?(
    credentials: Credentials,
    reason: 'before use' | 'refused',
    tools: PlatformTools,
  ): Promise<Credentials | undefined>;
  /** Uploads files and the like. The next attempt receives the progress that was saved and continues from there. */
  prepare?(
    command: PublishCommand<Credentials, Progress>,
    tools: PlatformTools,
    save: (progress: Progress) => Promise<void>,
  ): Promise<Progress>;
  publish(
    command: PublishCommand<Credentials, Progress>,
    tools: PlatformTools,
  ): Promise<Published & { announced?: AnnouncedLimit }>;
  /**
   * How long after `intendedAt` `publish` may be repeated with the same command, because the platform recognises its
   * key, even if the first call may have succeeded. Undefined if it must never be repeated.
   */
  readonly knowsKeysForMs?: number | undefined;
  /** For this long (ms) after the end of a call, `find` may miss its post. The default is 10 s. */
  readonly settlesInMs?: number | undefined;
  /**
   * Whether `find` recognises a post even if the progress of its attempt is lost. Posts without files are always
   * recognised.
   */
  readonly findsWithoutProgress?: boolean | undefined;
  /**
   * Returns the post of this command if it exists, found by its key or by a fingerprint among the account's newest
   * posts. It fails with UNCERTAIN if a post may or may not be this one, which only a person can decide, and with any
   * other failure if the platform cannot be read now.
   */
  find?(command: PublishCommand<Credentials, Progress>, tools: PlatformTools): Promise<Published | undefined>;
}

export function definePlatform<Credentials, Progress = never>(platform: Platform<Credentials, Progress>): Platform {
  return platform as unknown as Platform;
}

export type PublishFailureCode =
  /** The platform will never accept this content. */
  | 'REFUSED'
  /** The credentials do not work, or no longer. */
  | 'AUTH_ERROR'
  /** The platform has accepted enough posts of this account, until `until` if that is known. Nothing was published. */
  | 'RATE_LIMITED'
  /** The platform has to be asked again at `until`. Nothing was published. */
  | 'NOT_YET'
  /** The platform is out of order (no answer, or a 5xx). Nothing was published. */
  | 'UNREACHABLE'
  /** The platform answered that it did not accept the post this time. Nothing was published. */
  | 'UNAVAILABLE'
  /** The post expired before the call was sent. */
  | 'EXPIRED'
  /** It is not known whether the call succeeded. */
  | 'UNCERTAIN';

/** The reason why a platform did not publish. The publication's owner reads the message. */
export class PublishFailure extends Error {
  override readonly name = 'PublishFailure';
  readonly until: Date | undefined;

  constructor(
    readonly code: PublishFailureCode,
    message: string,
    { cause, until }: { cause?: unknown; until?: Date | undefined } = {},
  ) {
    super(redactText(message), { cause });
    this.until = until;
  }
}
