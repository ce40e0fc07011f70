import { createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { sealed, sign } from '../../../../../fleet/src/provider/sign'
import { authorization, distrust, opened } from './wechat.sign'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

test('what is signed of a request is what WeChat’s document prints for its example', () => {
  const asked = {
    method: 'GET',
    path: '/v3/global/certificates',
    body: '',
    timestamp: 1_554_208_460,
    nonce: '593BEC0C930BF1AFEB40B4A08C8FB242',
  }
  const header = authorization({ mchId: '1900009191', serial: '1DDE55AD98ED71D6EDD4A4A16996DE7B', privateKey }, asked)
  const signature = /signature="([^"]+)"/.exec(header)?.[1] ?? ''
  const printed = 'GET\n/v3/global/certificates\n1554208460\n593BEC0C930BF1AFEB40B4A08C8FB242\n\n'
  expect(createVerify('RSA-SHA256').update(printed).verify(publicKey, signature, 'base64')).toBe(true)
  expect(header.replace(signature, '…')).toBe(
    'WECHATPAY2-SHA256-RSA2048 mchid="1900009191",nonce_str="593BEC0C930BF1AFEB40B4A08C8FB242",' +
      'signature="…",timestamp="1554208460",serial_no="1DDE55AD98ED71D6EDD4A4A16996DE7B"',
  )
})

const now = new Date('2026-11-22T04:00:00Z')
const body = '{"id":"1"}'
const headersAt = (timestamp: string) => ({
  'wechatpay-serial': 'PUB_KEY_ID_01',
  'wechatpay-timestamp': timestamp,
  'wechatpay-nonce': 'n1',
  'wechatpay-signature': sign(privateKey, `${timestamp}\nn1\n${body}\n`),
})
const seconds = (offset: number) => String(now.getTime() / 1000 + offset)

test.each([
  ['as it came', {}, body, null],
  ['without a signature', { 'wechatpay-signature': '' }, body, 'unsigned'],
  ['of another key', { 'wechatpay-serial': 'PUB_KEY_ID_02' }, body, 'unknown serial'],
  ['of another nonce', { 'wechatpay-nonce': 'n2' }, body, 'wrong signature'],
  ['with another body', {}, '{"id":"2"}', 'wrong signature'],
  ['that is not base64', { 'wechatpay-signature': '§' }, body, 'wrong signature'],
  ['of five minutes ago', headersAt(seconds(-300)), body, null],
  ['of longer ago', headersAt(seconds(-301)), body, 'too old'],
  ['of the future', headersAt(seconds(301)), body, 'too old'],
  ['of no time', headersAt('yesterday'), body, 'too old'],
])('an answer %s', (_, changed, text, reason) => {
  const headers = { ...headersAt(seconds(0)), ...changed }
  expect(distrust(headers, text, { serial: 'PUB_KEY_ID_01', key: publicKey }, now)).toBe(reason)
})

test('what is sealed opens with its key alone, and not when it was altered', () => {
  const key = '0123456789abcdef0123456789abcdef'
  const given = sealed(key, '{"a":"茶"}', 'transaction') as { ciphertext: string; nonce: string }
  expect(opened(key, given)).toBe('{"a":"茶"}')
  expect(opened(key.replace('0', '1'), given)).toBe(null)
  expect(opened(key, { ...given, associated_data: 'refund' })).toBe(null)
  expect(opened('short', given)).toBe(null)
  expect(opened(key, { ...given, ciphertext: '' })).toBe(null)
})
