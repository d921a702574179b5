/** Reads what AMQP writes, from the front. Reading past the end throws a RangeError. */
export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get rest(): number {
    return this.bytes.length - this.at;
  }

  uint8 = () => this.bytes.readUInt8(this.past(1));
  int8 = () => this.bytes.readInt8(this.past(1));
  uint16 = () => this.bytes.readUInt16BE(this.past(2));
  int16 = () => this.bytes.readInt16BE(this.past(2));
  uint32 = () => this.bytes.readUInt32BE(this.past(4));
  int32 = () => this.bytes.readInt32BE(this.past(4));
  uint64 = () => this.bytes.readBigUInt64BE(this.past(8));
  int64 = () => this.bytes.readBigInt64BE(this.past(8));
  float = () => this.bytes.readFloatBE(this.past(4));
  double = () => this.bytes.readDoubleBE(this.past(8));
  shortString = () => this.take(this.uint8()).toString();
  longString = () => this.take(this.uint32()).toString();
  longBytes = () => Buffer.from(this.take(this.uint32()));
  part = (length: number) => new ByteReader(this.take(length));

  private take(length: number): Buffer {
    if (length > this.rest) throw new RangeError('it ends too early');
    const start = this.past(length);
    return this.bytes.subarray(start, start + length);
  }

  private past(length: number): number {
    this.at += length;
    return this.at - length;
  }
}
