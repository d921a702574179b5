import { text } from 'node:stream/consumers';
import { startSite } from '../harness/site.js';

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: string;
  failed: boolean;
  attributes: Record<string, unknown>;
  /** Attributes of the process that sent it. */
  resource: Record<string, unknown>;
}

/** Receives traces as a collector does: OTLP over HTTP, in JSON. */
export class Collector {
  readonly spans: Span[] = [];
  /** All requests as they arrived. */
  received = '';

  private constructor(readonly url: string) {}

  static async start(): Promise<Collector> {
    const site = await startSite(async (request, response) => {
      const body = await text(request);
      const isRight = request.method === 'POST' && request.url === '/v1/traces';
      if (isRight) collector.take(body);
      response.writeHead(isRight ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
    });
    const collector = new Collector(site.url('', '127.0.0.1'));
    return collector;
  }

  trace(traceId: string): Span[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  private take(body: string): void {
    this.received += body;
    const message: Message = JSON.parse(body);
    for (const { resource, scopeSpans } of message.resourceSpans)
      for (const { spans } of scopeSpans) this.spans.push(...spans.map((span) => toSpan(span, resource.attributes)));
  }
}

interface Message {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: RawSpan[] }[] }[];
}

interface Attribute {
  key: string;
  value: {
    stringValue?: string;
    intValue?: number;
    doubleValue?: number;
    arrayValue?: { values: Attribute['value'][] };
  };
}

interface RawSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code: number };
  attributes: Attribute[];
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const ERROR = 2;

function toSpan(
  { traceId, spanId, parentSpanId, name, kind, status, attributes }: RawSpan,
  resource: Attribute[],
): Span {
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: KINDS[kind] ?? '',
    failed: status.code === ERROR,
    attributes: read(attributes),
    resource: read(resource),
  };
}

function read(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain({ stringValue, intValue, doubleValue, arrayValue }: Attribute['value']): unknown {
  return arrayValue ? arrayValue.values.map(plain) : (stringValue ?? intValue ?? doubleValue);
}
