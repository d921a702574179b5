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

/** Calls fail with a PublishFailure or an OutgoingRequestError and never retry. Only `publish` has a visible effect. */
export interface Platform<Credentials = unknown, Progress = unknown> {
  readonly name: string;
  readonly label: string;
  readonly credentials: z.ZodType<Credentials>;
  /** The default limit, for the platform as a whole and for each user, unless the configuration sets another. */
  readonly limit?: { most: number; windowMs: number } | undefined;
  readonly workers: number;
  readonly accepts: Accepts;
  check(content: Content, credentials: Credentials): ContentProblem[];
  whose(credentials: Credentials, tools: PlatformTools): Promise<{ id: string; name: string }>;
  /** It is called before credentials expire or after a refusal. Undefined means that no renewal is needed. */
  refresh?(
    credentials: Credentials,
    reason: 'before use' | 'refused',
    tools: PlatformTools,
  ): Promise<Credentials | undefined>;
  /** The next attempt receives the saved progress and continues from there. */
  prepare?(
    command: PublishCommand<Credentials, Progress>,
    tools: PlatformTools,
    save: (progress: Progress) => Promise<void>,
  ): Promise<Progress>;
  publish(
    command: PublishCommand<Credentials, Progress>,
    tools: PlatformTools,
  ): Promise<Published & { announced?: AnnouncedLimit }>;
  /** For this long (ms) after `intendedAt`, a call may be repeated with its key. Undefined means never. */
  readonly knowsKeysForMs?: number | undefined;
  /** For this long (ms) after the end of a call, `find` may miss its post. The default is 10 s. */
  readonly settlesInMs?: number | undefined;
  /** Whether `find` recognises a post with files even if the progress of its attempt is lost. */
  readonly findsWithoutProgress?: boolean | undefined;
  /** It fails with UNCERTAIN if only a person can decide, and with another code if the platform cannot be read. */
  find?(command: PublishCommand<Credentials, Progress>, tools: PlatformTools): Promise<Published | undefined>;
}

export function definePlatform<Credentials, Progress = never>(platform: Platform<Credentials, Progress>): Platform {
  return platform as unknown as Platform;
}

export type PublishFailureCode =
  | 'REFUSED'
  | 'AUTH_ERROR'
  /** The platform has accepted enough posts of this account, until `until` if that is known. Nothing was published. */
  | 'RATE_LIMITED'
  /** The platform has to be asked again at `until`. Nothing was published. */
  | 'NOT_YET'
  /** The platform is out of order (no answer, or a 5xx). Nothing was published. */
  | 'UNREACHABLE'
  /** The platform answered that it did not accept the post this time. Nothing was published. */
  | 'UNAVAILABLE'
  | 'EXPIRED'
  | 'UNCERTAIN';

/** The publication's owner reads the message. */
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
