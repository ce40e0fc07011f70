import { afterEach, expect, test } from 'vitest'
import { join } from 'node:path'
import { generateKeyPairSync } from 'node:crypto'
import { newFolder } from '../testing'
import type { ProviderFile } from './keys'
import { sign } from './sign'
import { type StandIn, startStandIn } from './standIn'

/** 12:00 in Shanghai. */
const NOON = Date.parse('2026-11-22T04:00:00Z')
const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
const [ours, theirs] = [pair(), pair()]
const own = { serial: 'PLATFORM1', ...theirs }
const party = {
  appId: 'wx1',
  number: '1900000109',
  serial: 'MERCHANT1',
  publicKey: ours.publicKey,
  apiKey: '0'.repeat(32),
}
const file: ProviderFile = {
  keys: { wechat: own, alipay: own, unionpay: own },
  parties: { wechat: [party], alipay: [], unionpay: [] },
}

let nowMs = NOON
const running: StandIn[] = []
const told: string[] = []
afterEach(async () => {
  for (const standIn of running.splice(0)) await standIn.stop()
  told.length = 0
  nowMs = NOON
})

async function start(more: Partial<Parameters<typeof startStandIn>[0]> = {}): Promise<StandIn> {
  const standIn = await startStandIn({
    file,
    nowMs: () => nowMs,
    deliver: async (url) => {
      told.push(url)
      return { status: 200, body: '' }
    },
    ...more,
  })
  running.push(standIn)
  return standIn
}

/** As a merchant that signs by WeChat's rules would call; `changes` break one of them. */
async function call(
  standIn: StandIn,
  method: string,
  path: string,
  body?: object,
  changes: { atMs?: number; key?: string } = {},
) {
  const text = body ? JSON.stringify(body) : ''
  const timestamp = String(Math.floor((changes.atMs ?? nowMs) / 1000))
  const signature = sign(changes.key ?? ours.privateKey, `${method}\n${path}\n${timestamp}\nn\n${text}\n`)
  const parts = `mchid="${party.number}",nonce_str="n",signature="${signature}",timestamp="${timestamp}"`
  const authorization = `WECHATPAY2-SHA256-RSA2048 ${parts},serial_no="${party.serial}"`
  const answer = await fetch(standIn.url + path, {
    method,
    headers: { authorization },
    ...(body ? { body: text } : {}),
  })
  return { status: answer.status, body: answer.status === 204 ? {} : await answer.json() }
}

const order = (no: string, total = 1000) => ({
  appid: party.appId,
  mchid: party.number,
  description: 'goods',
  out_trade_no: no,
  notify_url: 'http://aisle.test/notify',
  amount: { total, currency: 'CNY' },
})
const back = (no: string, refundNo: string, refund: number) => ({
  out_trade_no: no,
  out_refund_no: refundNo,
  amount: { refund, total: 1000, currency: 'CNY' },
})
const NATIVE = '/v3/pay/transactions/native'
const REFUNDS = '/v3/refund/domestic/refunds'

test('who signs wrongly, or long ago, is not served', async () => {
  const standIn = await start()
  expect((await call(standIn, 'POST', NATIVE, order('A10000001'))).status).toBe(200)
  expect(await call(standIn, 'POST', NATIVE, order('A10000002'), { key: theirs.privateKey })).toMatchObject({
    status: 401,
  })
  expect(await call(standIn, 'POST', NATIVE, order('A10000002'), { atMs: nowMs - 301_000 })).toMatchObject({
    status: 401,
  })
  expect(standIn.trades()).toHaveLength(1)
})

test('a number is one payment: asked again the same, with another amount refused, paid once', async () => {
  const standIn = await start()
  const first = await call(standIn, 'POST', NATIVE, order('A10000001'))
  expect(await call(standIn, 'POST', NATIVE, order('A10000001'))).toEqual(first)
  expect(await call(standIn, 'POST', NATIVE, order('A10000001', 999))).toMatchObject({ status: 400 })
  expect([standIn.pay(first.body.code_url), standIn.pay(first.body.code_url)]).toEqual([null, 'paid'])
  expect(await call(standIn, 'POST', NATIVE, order('A10000001'))).toMatchObject({ body: { code: 'ORDERPAID' } })
  await standIn.quiet()
  expect(told).toEqual(['http://aisle.test/notify'])
})

test('refunds: each number once, never more than was paid, fifty at most, and one a minute where asked', async () => {
  const standIn = await start()
  const { body } = await call(standIn, 'POST', NATIVE, order('A10000001'))
  standIn.pay(body.code_url)
  const refund = (no: string, fen: number) => call(standIn, 'POST', REFUNDS, back('A10000001', no, fen))
  expect(await refund('R10000001', 1001)).toMatchObject({ status: 400 })
  for (let i = 0; i < 50; i += 1) expect((await refund(`R2000${String(i).padStart(4, '0')}`, 1)).status).toBe(200)
  expect(await refund('R20000000', 1)).toMatchObject({ status: 200 })
  expect(await refund('R20000000', 2)).toMatchObject({ status: 400 })
  expect(await refund('R30000000', 1)).toMatchObject({ body: { message: 'tooMany' } })
  standIn.mischief.limitsRefunds = true
  const other = await call(standIn, 'POST', NATIVE, order('A10000002'))
  standIn.pay(other.body.code_url)
  const two = (no: string) => call(standIn, 'POST', REFUNDS, back('A10000002', no, 1))
  expect([(await two('R40000000')).status, (await two('R40000001')).status]).toEqual([200, 429])
  nowMs += 60_000
  expect((await two('R40000001')).status).toBe(200)
})

test('what was offered, closed and paid is known after a restart; what is too late can’t be paid', async () => {
  const journal = join(newFolder(), 'provider.jsonl')
  const before = await start({ journal })
  const paid = await call(before, 'POST', NATIVE, order('A10000001'))
  before.pay(paid.body.code_url)
  const offered = await call(before, 'POST', NATIVE, order('A10000003'))
  await call(before, 'POST', NATIVE, order('A10000004'))
  expect(
    (await call(before, 'POST', '/v3/pay/transactions/out-trade-no/A10000004/close', { mchid: party.number })).status,
  ).toBe(204)
  await before.stop()
  const after = await start({ journal })
  expect(after.pay(String(offered.body.code_url).replace(before.url, after.url))).toBeNull()
  expect(after.trade('A10000003')).toMatchObject({ state: 'paid', paidFen: 1000 })
  expect(after.trade('A10000004')).toMatchObject({ state: 'closed' })
  expect(after.trade('A10000001')).toMatchObject({ state: 'paid', paidFen: 1000 })
  const left = await call(after, 'POST', NATIVE, order('A10000002'))
  nowMs += 7_201_000
  expect(after.pay(left.body.code_url)).toBe('closed')
})
