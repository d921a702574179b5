const LONGEST_SHORT_STRING = 255;

/** Writes as AMQP does, with the most significant byte first. */
export class ByteWriter {
  private readonly parts: Buffer[] = [];

  bytes(): Buffer {
    return Buffer.concat(this.parts);
  }

  uint8 = (value: number) => this.fixed(1, (bytes) => bytes.writeUInt8(value));
  uint16 = (value: number) => this.fixed(2, (bytes) => bytes.writeUInt16BE(value));
  uint32 = (value: number) => this.fixed(4, (bytes) => bytes.writeUInt32BE(value));
  uint64 = (value: bigint) => this.fixed(8, (bytes) => bytes.writeBigUInt64BE(value));
  int64 = (value: bigint) => this.fixed(8, (bytes) => bytes.writeBigInt64BE(value));
  double = (value: number) => this.fixed(8, (bytes) => bytes.writeDoubleBE(value));

  shortString(text: string): this {
    const bytes = Buffer.from(text).subarray(0, LONGEST_SHORT_STRING);
    this.uint8(bytes.length);
    this.parts.push(bytes);
    return this;
  }

  longString(text: string): this {
    return this.longBytes(Buffer.from(text));
  }

  longBytes(bytes: Buffer): this {
    this.uint32(bytes.length);
    this.parts.push(bytes);
    return this;
  }

  private fixed(length: number, write: (bytes: Buffer) => void): this {
    const bytes = Buffer.allocUnsafe(length);
    write(bytes);
    this.parts.push(bytes);
    return this;
  }
}
