import { expect, test } from 'vitest'
import { followEventIn, isFromWechat, signatureOf } from './accountCallback.rules'

const now = new Date('2026-11-20T04:00:00Z')
const timestamp = String(now.getTime() / 1000)
const nonce = '1372623149'

test('the signature is over token, time and nonce, however they sort, and not over yesterday', () => {
  const said = { timestamp, nonce, signature: signatureOf('token-of-ours', { timestamp, nonce }) }
  expect(isFromWechat('token-of-ours', said, now)).toBe(true)
  expect(isFromWechat('token-of-ours', { ...said, signature: said.signature.toUpperCase() }, now)).toBe(true)
  expect(isFromWechat('another-token', said, now)).toBe(false)
  expect(isFromWechat('token-of-ours', { ...said, nonce: '1' }, now)).toBe(false)
  expect(isFromWechat('token-of-ours', { ...said, signature: 'short' }, now)).toBe(false)
  expect(isFromWechat('token-of-ours', said, new Date(now.getTime() + 3_600_000))).toBe(false)
  // Worked out by hand from WeChat's own description: sha1('1409304348' + 'token' + 'xxxxxx') once sorted.
  expect(signatureOf('token', { timestamp: '1409304348', nonce: 'xxxxxx' })).toBe(
    signatureOf('xxxxxx', { timestamp: '1409304348', nonce: 'token' }),
  )
})

const xml = (event: string, more = '') => `<xml><ToUserName><![CDATA[gh_1]]></ToUserName>
<FromUserName><![CDATA[oABC-1_x]]></FromUserName><CreateTime>1763611200</CreateTime>
<MsgType><![CDATA[event]]></MsgType><Event><![CDATA[${event}]]></Event>${more}</xml>`
const key = (scene: string) => `<EventKey><![CDATA[${scene}]]></EventKey>`
const at = new Date(1_763_611_200_000)

test.each([
  ['follows', xml('subscribe'), { isFollowing: true, machineCode: null }],
  ['follows by the code of a machine', xml('subscribe', key('qrscene_100023')), { machineCode: '100023' }],
  ['scans again', xml('SCAN', key('100023')), { isFollowing: true, machineCode: '100023' }],
  ['leaves', xml('unsubscribe', key('')), { isFollowing: false, machineCode: null }],
] as const)('somebody %s', (_, body, expected) => {
  expect(followEventIn(body)).toMatchObject({ openId: 'oABC-1_x', at, ...expected })
})

test.each([
  ['a typed message', xml('x').replace('[event]', '[text]')],
  ['a press on a menu', xml('CLICK')],
  ['a sealed body', '<xml><Encrypt><![CDATA[abc]]></Encrypt></xml>'],
  ['no XML', '{"Event":"subscribe"}'],
  ['a sender that is none', xml('subscribe').replace('oABC-1_x', "o'; drop")],
  ['no time', xml('subscribe').replace('1763611200', 'soon')],
])('%s is no news of followers', (_, body) => {
  expect(followEventIn(body)).toBeNull()
})
