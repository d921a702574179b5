interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}
interface Body {
  required?: boolean;
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
}
interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const HEADING =
  '// The types of the HTTP API, written from its OpenAPI document by `npm test -- test/contracts/api-types.test.ts -u`.\n';
const PLACES = ['query', 'path', 'header'];

/** Renders the types that `openapi-fetch` and the CLI read. The `openapi-typescript` library needs an older TypeScript. */
export function renderApiTypes({ paths, components }: ApiDocument): string {
  const routes = Object.entries(paths).map(([path, methods]) => `  ${quote(path)}: {\n${operationsOf(methods)}  };\n`);
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => `    ${name}: ${typeOf(schema)};\n`,
  );
  return [
    HEADING,
    `export interface paths {\n${routes.join('')}}\n`,
    `export interface components {\n  schemas: {\n${schemas.join('')}  };\n}\n`,
  ].join('\n');
}

function operationsOf(methods: Record<string, Operation>): string {
  return Object.entries(methods)
    .map(([method, operation]) => `    ${method}: {\n${operationType(operation)}    };\n`)
    .join('');
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const answers = Object.entries(responses).map(([status, body]) => `${statusKey(status)}: ${answerType(body)}`);
  const body = requestBody && contentType(requestBody);
  return [
    `      parameters: { ${PLACES.map((place) => parametersIn(place, parameters)).join('; ')}; cookie?: never };\n`,
    body ? `      requestBody${requestBody.required ? '' : '?'}: ${body};\n` : '      requestBody?: never;\n',
    `      responses: { ${answers.join('; ')} };\n`,
  ].join('');
}

function parametersIn(place: string, parameters: Parameter[]): string {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (!here.length) return `${place}?: never`;
  const fields = here.map(({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema)}`);
  return `${place}${here.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`;
}

const answerType = (body: Body) =>
  body.content ? `{ headers: {}; ${inner(contentType(body))} }` : '{ headers: {}; content?: never }';
const inner = (braced: string) => braced.slice(2, -2);

/** Content types other than JSON are typed as text. */
function contentType({ content = {} }: Body): string {
  const types = Object.entries(content).map(
    ([type, { schema }]) => [type, type.includes('json') ? schema : TEXT] as const,
  );
  return `{ content: { ${types.map(([type, schema]) => `${quote(type)}: ${typeOf(schema)}`).join('; ')} } }`;
}
const TEXT: Schema = { type: 'string' };

function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown';
  const type = bareType(schema);
  return schema.nullable && type !== 'unknown' ? `${type} | null` : type;
}

function bareType(schema: Schema): string {
  if (schema.$ref) return `components['schemas'][${quote(schema.$ref.split('/').at(-1) ?? '')}]`;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((option) => `(${typeOf(option)})`).join(' | ');
  if (schema.type === 'array') return `(${typeOf(schema.items)})[]`;
  if (schema.type === 'object') return objectType(schema);
  return { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' }[schema.type ?? ''] ?? 'unknown';
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  if (fields.length) return `{ ${fields.join('; ')} }`;
  return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
}

const quote = (text: string) => `'${text}'`;
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));
const statusKey = (status: string) => (/^\d+$/.test(status) ? status : quote(status));
