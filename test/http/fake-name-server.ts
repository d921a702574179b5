import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { onTestFinished } from 'vitest';

/** What is known of a name: addresses, the name that it is an alias of, or a failure. `silent` means no answer at all. */
export type Answer = string[] | { cname: string; addresses: string[] } | 'missing' | 'servfail' | 'silent';

const A = 1;
const CNAME = 5;
const AAAA = 28;
const FLAGS = { found: 0x8180, servfail: 0x8182, missing: 0x8183 };
/** In seconds. */
const TTL = 30;

/** A name server on loopback that speaks DNS over UDP, as far as questions for addresses go. It lives until `stop`, or the end of the test. */
export async function startNameServer(
  answerFor: (name: string) => Answer | Promise<Answer>,
  keep: (stop: () => void) => void = onTestFinished,
) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  let isOpen = true;
  const respond = async (message: Buffer, { port, address }: RemoteInfo) => {
    const { name, type, end } = questionOf(message);
    asked.push(name);
    const answer = await answerFor(name);
    if (answer !== 'silent' && isOpen) socket.send(responseTo(message.subarray(0, end), type, answer), port, address);
  };
  socket.on('message', (message, from) => void respond(message, from));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  keep(() => {
    isOpen = false;
    socket.close();
  });
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** Turns the header and the question of a query into an answer. */
function responseTo(query: Buffer, type: number, answer: Exclude<Answer, 'silent'>): Buffer {
  const records = recordsOf(answer, type);
  const head = Buffer.from(query);
  head.writeUInt16BE(typeof answer === 'string' ? FLAGS[answer] : FLAGS.found, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...records]);
}

function recordsOf(answer: Exclude<Answer, 'silent'>, type: number): Buffer[] {
  if (typeof answer === 'string') return [];
  const addresses = Array.isArray(answer) ? answer : answer.addresses;
  const wanted = addresses.filter((address) => (isIPv4(address) ? A : AAAA) === type);
  // A pointer to the name of the question.
  const question = Buffer.from([0xc0, 12]);
  if (Array.isArray(answer)) return wanted.map((address) => record(question, type, bytesOf(address)));
  const target = encodeName(answer.cname);
  return [record(question, CNAME, target), ...wanted.map((address) => record(target, type, bytesOf(address)))];
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(TTL, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fields, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** An IPv6 address may leave out zeros once, with `::`. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const zeros = new Array(8 - groups(head).length - groups(tail).length).fill('0');
  const hex = [...groups(head), ...zeros, ...groups(tail)].map((group) => group.padStart(4, '0')).join('');
  return Buffer.from(hex, 'hex');
}
