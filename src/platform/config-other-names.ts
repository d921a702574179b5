import { isIP } from 'node:net';
import { z } from 'zod';
import { type duration, type FieldType, matching, type OtherNames, text, wholeNumber } from './config-field-types.js';

type ValuesOf<Types> = { [Name in keyof Types]?: Types[Name] extends FieldType<infer Value> ? Value : never };

function otherNames<const Types extends Record<string, FieldType<unknown>>>(
  types: Types,
  { toText, ...rest }: Omit<OtherNames, 'variables' | 'toText'> & { toText(values: ValuesOf<Types>): string },
): OtherNames {
  const variables = Object.entries(types).map(([name, type]) => ({ name, type }));
  return { ...rest, variables, toText: (values) => toText(values as ValuesOf<Types>) };
}

export const otherName = (name: string): OtherNames => ({
  variables: [{ name }],
  about: 'the same value',
  toText: (values) => String(values[name]),
});

/** A retry comes after a first attempt. */
export const maxRetries = (maxAttempts: number): OtherNames =>
  otherNames(
    { MAX_RETRIES: wholeNumber(0, maxAttempts - 1) },
    {
      about: 'one more, because the first attempt is not a retry',
      toText: ({ MAX_RETRIES: retries = 0 }) => String(retries + 1),
    },
  );

export const inMilliseconds = (name: string, { milliseconds }: ReturnType<typeof duration>): OtherNames => ({
  variables: [{ name, type: milliseconds }],
  about: 'a number of milliseconds',
  toText: (values) => `${values[name]}ms`,
});

export const rateLimit: OtherNames = otherNames(
  {
    RATE_LIMIT_MAX: wholeNumber(1, 1_000_000_000),
    RATE_LIMIT_DURATION: wholeNumber(1, 86_400_000),
  },
  {
    about: '`RATE_LIMIT_MAX` (100) requests per `RATE_LIMIT_DURATION` (1000) milliseconds',
    toText: ({ RATE_LIMIT_MAX: max = 100, RATE_LIMIT_DURATION: ms = 1_000 }) => `${max}/${ms}ms`,
  },
);

const hostName: FieldType<string> = {
  schema: z.string().refine((given) => isIP(given) > 0 || /^[\w.-]{1,253}$/.test(given)),
  expected: 'the name or address of a host',
};

/** Kubernetes sets `RABBITMQ_PORT=tcp://10.0.0.1:5672` in every container beside a service named rabbitmq. */
const brokerPort: FieldType<string> = {
  schema: matching(/^(?:tcp:\/\/[^/]+:)?\d{1,5}$/, '').schema.transform((given) => given.replace(/^.*:/, '')),
  expected: 'a port such as 5672',
};

export const rabbitmqParts: OtherNames = otherNames(
  {
    RABBITMQ_HOST: hostName,
    RABBITMQ_PORT: brokerPort,
    RABBITMQ_USER: text,
    RABBITMQ_PASSWORD: text,
    RABBITMQ_VHOST: text,
  },
  {
    about: '`amqp://user:password@host:port/vhost`, with the defaults of RabbitMQ for all but `RABBITMQ_HOST`',
    needs: 'RABBITMQ_HOST',
    toText({
      RABBITMQ_HOST: host = '',
      RABBITMQ_PORT: port = '5672',
      RABBITMQ_USER: user = 'guest',
      RABBITMQ_PASSWORD: password = 'guest',
      RABBITMQ_VHOST: vhost = '/',
    }) {
      const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
      return `amqp://${login}@${isIP(host) === 6 ? `[${host}]` : host}:${port}/${encodeURIComponent(vhost)}`;
    },
    meaning(address) {
      const { protocol, username, password, hostname, port, pathname } = new URL(String(address));
      const login = [username, password].map((one) => decodeURIComponent(one) || 'guest');
      const vhost = decodeURIComponent(pathname.slice(1)) || '/';
      return [protocol, ...login, hostname, port || (protocol === 'amqps:' ? '5671' : '5672'), vhost];
    },
  },
);
