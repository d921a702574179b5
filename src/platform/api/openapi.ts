import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { z } from 'zod';
import { Problem } from '../errors/problem.js';

export const SESSION_COOKIE = 'millrace_session';

const ACTING_FOR = `With an admin key: your own id of the user the request is for, who is created on first use.
Up to 128 letters, digits and any of \`_ . @ : + | / = -\`. Endpoints that need an admin refuse it.`;

export function serveOpenApi(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    raw: ['json'],
    jsonDocumentUrl: '/openapi.json',
    customSiteTitle: 'Millrace API',
    swaggerOptions: { validatorUrl: 'none' },
  });
}

function openApiDocument(app: NestFastifyApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setTitle('Millrace')
    .setDescription('Errors are problem documents (RFC 9457); decide by their `code`.')
    .setVersion('1')
    .addSecurity('key', { type: 'http', scheme: 'bearer', description: 'A key: `mr_…`' })
    .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', description: 'Set by signing in; for pages of this server' })
    .addSecurity('actingFor', { type: 'apiKey', in: 'header', name: 'X-Millrace-User', description: ACTING_FOR })
    .addSecurityRequirements('key')
    .addSecurityRequirements('cookie')
    .addSecurityRequirements({ key: [], actingFor: [] })
    .addGlobalResponse({
      status: 'default',
      description: 'A problem',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    })
    .build();
  const document = SwaggerModule.createDocument(app, about, {
    standardSchemaConverter: toOpenApi,
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  for (const path of Object.values(document.paths)) for (const operation of Object.values(path)) sayOptional(operation);
  document.components = { ...document.components, schemas: { ...document.components?.schemas, Problem: problem() } };
  return document;
}

/** A body with a default may be omitted, which the library does not notice. */
function sayOptional({ requestBody: body }: { requestBody?: { required?: boolean; content?: Record<string, Media> } }) {
  if (body?.required && Object.values(body.content ?? {}).every(({ schema }) => schema && 'default' in schema))
    body.required = false;
}

interface Media {
  schema?: object;
}

function toOpenApi(schema: unknown, { schemaType }: { schemaType: 'input' | 'output' }) {
  if (!(schema instanceof z.ZodType)) return undefined;
  const {
    $schema: _,
    $defs,
    ...converted
  } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: schemaType,
    unrepresentable: 'any',
  });
  return { schema: converted, ...($defs && { components: $defs }) };
}

const problem = () => toOpenApi(Problem, { schemaType: 'output' })?.schema ?? {};
