import { expect, test } from 'vitest'
import { isNotificationSigned, joined, provenMember } from './alipay.sign'
import { isSignedBy } from './rsa'

/**
 * Made by alipay-sdk 4.14.0, the provider's own: its `sign()` over a request, and a notification that its
 * `checkNotifySignV2` takes. RSA of PKCS #1 gives one signature a text, so ours is right where it holds for the same.
 */
const publicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAi2EUIVwtyl2nemU9whu+
nSkQtjFcb2q+m/FPP2xAqnyHxbHEDPy90T3j2Llpjnq7ZSbw8V9TpB5ApXkWwXGs
qJZVqjZGQTRn5xUhU6M2iqXRVjQWg744ngzKewCeNqD3k9HTHkkGZj7gZQHO/1ba
agfHKUVzfxwxmcjuXmoVLeKOtFyndZkoxispw7Xo389SRXB+8EX04au1mmJF9Q9i
JkSRXzKx8TKCfF07y/R16SiXTGveQFexAfySM7tnuxD4pXY0WCOpu/gbHmjjBl7y
uSxLQ1Hu5MKmRw6p06DD1B6JPkASmoJNnoJisbnrot95gebvSdzBmjzKiOmVtJNG
AwIDAQAB
-----END PUBLIC KEY-----
`

const request = {
  method: 'alipay.trade.precreate',
  app_id: '2021000100000001',
  charset: 'utf-8',
  version: '1.0',
  sign_type: 'RSA2',
  timestamp: '2026-11-22 04:17:22',
  notify_url: 'https://pay.example/api/pay/notify/alipay/t',
  biz_content: '{"out_trade_no":"A261122000000000001","total_amount":"3.50","subject":"矿泉水 & 茶"}',
}
const requestSign =
  'duU8e6Ddmd6RYspdWwffwO+NZhmDGG2v7poJJljw9qJdAIKV/k42KNwiOo1YSddKtvUWxhR2JRuxyWE4yEm2/UuHdXCUIFIcHi6r' +
  '+GqbHw5i2rCYNSmstwbwSPbkUjEV53742ynKGqoi9Q/hidZZPd7xNUVAoyJYmwUFHshKXJATkXPQcZkpxM1Q8WwVp7Mm0MoVQyyR' +
  '5Uw5asNv0hVlSS3eWER1QnfhVyhk0rBQldNOAYUYaSbKj95lx8w6d5bP2D4CUU/a7Qose3utA6D3EU7xQbfLeieKZH+vvnx4EqSU' +
  'iTN948Y7b5UAOGGAyqCOPXWdJPGWDm6TKYpLDQbTDw=='

const notification = {
  gmt_create: '2026-11-22 12:00:00',
  seller_id: '2088000000000001',
  subject: '矿泉水 & 茶',
  total_amount: '3.50',
  trade_no: '2026112222001400000001',
  out_trade_no: 'A261122000000000001',
  trade_status: 'TRADE_SUCCESS',
  app_id: '2021000100000001',
  gmt_payment: '2026-11-22 12:00:07',
  notify_id: 'abc',
  notify_type: 'trade_status_sync',
  notify_time: '2026-11-22 12:00:08',
  charset: 'utf-8',
  version: '1.0',
  sign_type: 'RSA2',
}
const notificationSign =
  'ApfdUgZI/owqkHg64tahlCoRYfG6kGLLHsl9uEUpufZBPa3r25TODs9wXQyK81kGw8Y4A0cff3RI6jonLAvUaI+aMXS6hy2Ko+zF' +
  'QGy9Rh0NetPkalRWNW93hOX6S2XXNqV4FEQi0ro0fCnC4ROCojNGHbvRqx00Wtlmx0YRmeIltqJ2pslcAM9E3q9eY3B5mbC5Eix5' +
  'EeWRvSYgkM252IVClVMJ3om3tlHzIaZCBJXN5uRdCLQR+CCO61Mouvd7oDjjPgt0ow4SrvVEky4/Yxz067ROyDKsg+7zlwlixVlq' +
  'NqG5glgrfmvRFg9N1AmzLlo7Id9IELf1Or51UFOZrw=='

test('a request is signed over the text that the official client signs', () => {
  expect(isSignedBy(publicKey, joined(request), requestSign)).toBe(true)
  expect(isSignedBy(publicKey, joined({ ...request, version: '1.1' }), requestSign)).toBe(false)
  expect(isSignedBy('not a key', joined(request), requestSign)).toBe(false)
})

test('a notification that the official client takes is taken, and no other', () => {
  expect(isNotificationSigned({ ...notification, sign: notificationSign }, publicKey)).toBe(true)
  const dearer = { ...notification, total_amount: '35.00', sign: notificationSign }
  expect(isNotificationSigned(dearer, publicKey)).toBe(false)
  expect(isNotificationSigned(notification, publicKey)).toBe(false)
})

test('an answer is proven by its text as it stands, and one without a signature is not', () => {
  const method = 'alipay.trade.query'
  const unsigned = '{"alipay_trade_query_response":{"code":"10000","msg":"}\\"{"}}'
  expect(provenMember(unsigned, method, publicKey)).toBe(null)
  expect(provenMember('<html>busy</html>', method, publicKey)).toBe(null)
  expect(provenMember(unsigned.replace(/}$/, `,"sign":"${notificationSign}"}`), method, publicKey)).toBe(null)
})
