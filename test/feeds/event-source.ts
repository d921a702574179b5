import { type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Told {
  event: string;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  data: any;
}

/** A client for server-sent events that works like a browser's, over its own connection. */
export class EventSource {
  readonly told: Told[] = [];
  comments = 0;
  ended = false;

  private constructor(readonly response: IncomingMessage) {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.hear(block);
    });
    response.on('close', () => {
      this.ended = true;
    });
    response.on('error', () => undefined);
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventSource> {
    const sent = request(url, { headers, agent: false });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end();
    });
    onTestFinished(() => void sent.destroy());
    return new EventSource(response);
  }

  /** Returns the external ids of the posts that were received. */
  get posts(): string[] {
    return this.told.filter(({ event }) => event === 'post').map(({ data }) => data.externalId);
  }

  private hear(block: string): void {
    if (block.startsWith(':')) this.comments += 1;
    const fields = new Map(block.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
    const [event, data, id] = [fields.get('event'), fields.get('data'), fields.get('id')];
    if (event && data) this.told.push({ event, data: JSON.parse(data), ...(id !== undefined && { id }) });
  }
}
