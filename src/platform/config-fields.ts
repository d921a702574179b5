import { isIP } from 'node:net';
import { z } from 'zod';
import { canParseUrl } from './can-parse-url.js';

export const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: `a whole number from ${min} to ${max}` })
    .int(`a whole number from ${min} to ${max}`)
    .min(min, `a whole number from ${min} to ${max}`)
    .max(max, `a whole number from ${min} to ${max}`);

export const address = (protocols: string[]) => {
  const expected = `an address such as ${protocols[0]}//host:port`;
  return z.string().refine((text) => canParseUrl(text) && protocols.includes(new URL(text).protocol), expected);
};

/** Converts to ASCII, which headers need, whatever script the address is written in. */
export const webAddress = (protocols: string[]) => address(protocols).transform((text) => new URL(text).href);

export const listOf = <T extends string>(item: z.ZodType<T>, expected: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((parts) => parts.every((part) => item.safeParse(part).success), `a comma-separated list of ${expected}`)
    .transform((parts) => [...new Set(parts)] as T[]);

export const Network = z.string().refine(isNetwork);
export const NETWORKS = 'addresses or networks such as 127.0.0.1 or 10.0.0.0/8';
/** A network of everybody is refused, because then everybody could claim any address. */
export const ProxyNetwork = Network.refine((text) => !/\/0+$/.test(text));

function isNetwork(text: string): boolean {
  const [ip = '', bits] = text.split('/');
  const family = isIP(ip);
  if (!family) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

export const NameServer = z.string().refine(isNameServer);
export const NAME_SERVERS = 'name servers such as 9.9.9.9, 127.0.0.1:5353 or [::1]:53';

/** Accepts the format of `dns.setServers`. */
function isNameServer(text: string): boolean {
  const [, v6, v4, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return (isIP(text) > 0 || isIP(v6 ?? v4 ?? '') > 0) && Number(port) > 0 && Number(port) < 65_536;
}

/** Parses `example.org=60,api.example.org=600`, in requests a minute. */
export const hostLimitsOf = () =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => /^([^\s=:/]{1,253})=(\d{1,7})$/.exec(part.trim()))
        .map((match) => match && ([match[1]?.toLowerCase() ?? '', Number(match[2])] as const)),
    )
    .refine(
      (limits) => limits.every((limit) => limit && limit[1] > 0),
      'requests a minute by host, such as example.org=60,api.example.org=600',
    )
    .transform((limits) => new Map(limits.filter((limit) => limit !== null)));

/** The name is part of queue names, and `fetch.dlq` holds dead commands. */
export const TypeName = z.string().regex(/^(?!dlq$)[a-z][a-z0-9-]{0,49}$/);
export const TYPE_NAMES = 'names of lower-case letters, digits and hyphens, but for dlq';
