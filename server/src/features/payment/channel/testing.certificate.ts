import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

/** A key pair and a certificate of it that ends when a test wants it to; signed by itself (RFC 5280). */
export function makeCertificate(subject: string | readonly string[], validUntil: Date, modulusLength = 2_048) {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const publicKey = createPublicKey(privateKey)
  const name = sequence(
    ...[subject].flat().map((each) => tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(each))))),
  )
  const validity = sequence(moment(new Date(0)), moment(validUntil))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const body = sequence(tagged(0x02, Buffer.from('1A2B3C4D5E6F', 'hex')), RSA_SHA256, name, validity, name, spki)
  const signature = tagged(0x03, Buffer.concat([Buffer.of(0), sign('RSA-SHA256', body, privateKey)]))
  const certificate = sequence(body, RSA_SHA256, signature)
    .toString('base64')
    .replace(/(.{64})(?=.)/g, '$1\n')
  return {
    privateKey,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  }
}

function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const moment = (at: Date): Buffer =>
  tagged(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`))
/** 2.5.4.3, and sha256WithRSAEncryption without parameters. */
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const RSA_SHA256 = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
