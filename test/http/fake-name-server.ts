import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Addresses of a name; 'missing' is NXDOMAIN, 'silent' never answers. */
export type Answer = string[] | 'missing' | 'silent';

/** A name server on loopback that speaks DNS over UDP, as far as questions for A and AAAA go. */
export async function startNameServer(answerFor: (name: string) => Answer) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    asked.push(name);
    const answer = answerFor(name);
    if (answer !== 'silent') socket.send(responseTo(message.subarray(0, end), type, answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, asked };
}

const A = 1;

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** The header and the question of a query, turned into an answer to it. */
function responseTo(query: Buffer, type: number, answer: string[] | 'missing'): Buffer {
  const addresses = type === A && answer !== 'missing' ? answer : [];
  const head = Buffer.from(query);
  head.writeUInt16BE(answer === 'missing' ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 30, 0, 4, 0, 0, 0, 0]);
    record.set(address.split('.').map(Number), 12);
    return record;
  });
  return Buffer.concat([head, ...records]);
}
