import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net'
import { getPushMessage, listPushMessages, resendMessage } from '@aisle/contract/notice/push'
import { saveProvider, testProvider } from '@aisle/contract/notice/pushSetting'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { send } from '../../kernel/outbox'
import { deliver } from './deliver'
import { jobs } from './notice.jobs'
import { dataOf, NOON, openPlace, type Place, type Somebody, somebody } from './testing'

const KEY_ID = 'key-of-tests'
const SECRET = 'secret-of-tests'

let place: Place
let admin: Somebody
let ourAdmin: Somebody
let sms: Stand
let mail: Mailbox

beforeAll(async () => {
  place = await openPlace()
  admin = await somebody(place, place.platform.id, { kind: 'platform_admin' })
  ourAdmin = await somebody(place, place.ours.id, { phone: '13812345678' })
  sms = await standIn()
  mail = await mailbox()
})
beforeEach(async () => {
  place.world.setNow(NOON)
  await sql`delete from push_provider`.execute(place.world.services.db)
  await sql`update outbox_message set state = 'withdrawn'`.execute(place.world.services.db)
  sms.answer = null
  sms.heard.length = 0
})
afterAll(async () => {
  sms.server.close()
  mail.server.close()
  await place.close()
})

const base = { merchantId: 0, userId: null, title: 'Alarm', body: 'Machine 7 is warm.', at: NOON }
const write = async (more: Partial<Parameters<typeof send>[2]> = {}): Promise<number> => {
  const { db, keys } = place.world.services
  const message = { ...base, merchantId: place.ours.id, type: 'alarm.machine', channel: 'sms', receiver: '13812345678' }
  await send(db, keys, { ...message, ...more } as Parameters<typeof send>[2])
  const found = await sql<{ id: number }>`select max(id) as id from outbox_message`.execute(db)
  return found.rows[0]?.id ?? 0
}
const stateOf = async (id: number) => dataOf<Record<string, unknown>>(await admin.call(getPushMessage, { id }))
const run = () => deliver(place.world.services)
const provide = (config: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  admin.call(saveProvider, { config, isOn: true, secret: SECRET, version: 0, ...more })
const aliyun = () => ({ kind: 'aliyun', endpoint: sms.url, keyId: KEY_ID, signName: '智售', template: 'SMS_100' })
const tencent = () => ({ ...aliyun(), kind: 'tencent', appId: '1400000001', region: 'ap-guangzhou', template: '200' })
const smtp = () => ({
  kind: 'smtp',
  host: '127.0.0.1',
  port: mail.port,
  isSecure: false,
  user: 'robot',
  from: 'a@b.cn',
})

test('without a provider a message is held and says so; with one it goes', async () => {
  const id = await write()
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'held', whyHeld: 'noProvider', tries: 0 })
  expect((await provide(aliyun())).status).toBe(200)
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'sent', provider: 'aliyun', tries: 1, error: null })
})

test('Alibaba Cloud gets a signature it can check, the number, and the words as the template has them', async () => {
  await provide(aliyun())
  const vars = { machine: 'HZ-001', condition: 'too warm', at: '12:00' }
  const id = await write({ vars, receiver: '+8613812345678' })
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'sent' })
  expect(sms.heard).toMatchObject([{ PhoneNumbers: '13812345678', SignName: '智售', TemplateCode: 'SMS_100' }])
  expect(JSON.parse(sms.heard[0]?.TemplateParam ?? '')).toEqual(vars)
})

test('Tencent Cloud gets a signature that it can check, and the parameters in the order of the type', async () => {
  await provide(tencent())
  const id = await write({ vars: { at: '12:00', condition: 'too warm', machine: 'HZ-001' } })
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'sent', provider: 'tencent' })
  expect(sms.heard).toMatchObject([
    {
      PhoneNumberSet: ['+8613812345678'],
      SmsSdkAppId: '1400000001',
      TemplateParamSet: ['HZ-001', 'too warm', '12:00'],
    },
  ])
})

test('a wrong key is refused by the stand-in, and not tried again', async () => {
  await provide(aliyun(), { secret: 'another' })
  const id = await write()
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'failed', tries: 1 })
  expect((await stateOf(id)).error).toContain('SignatureDoesNotMatch')
})

test('what passes is tried again, later and later, and given up in the end', async () => {
  await provide(aliyun())
  sms.answer = { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: 'slow down' }
  const id = await write()
  await run()
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', tries: 1, nextTryAt: '2026-11-20T04:01:00+00:00' })
  for (const minutes of [1, 6, 21, 81, 321]) {
    place.world.setNow(new Date(NOON.getTime() + minutes * 60_000))
    await run()
  }
  expect(await stateOf(id)).toMatchObject({ state: 'failed', tries: 6 })
  sms.answer = null
  expect((await admin.call(resendMessage, { id })).status).toBe(200)
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'sent', tries: 1 })
  expect((await admin.call(resendMessage, { id })).body.code).toBe('message.state')
})

test('two servers deliver a message once', async () => {
  await provide(aliyun())
  for (let i = 0; i < 30; i += 1) await write({ body: `Number ${i}` })
  await Promise.all([run(), run(), run()])
  expect(sms.heard).toHaveLength(30)
  expect(new Set(sms.heard.map(({ OutId }) => OutId)).size).toBe(30)
})

test('e-mail goes by SMTP with name and password, as it was written', async () => {
  await provide(smtp())
  const id = await write({ channel: 'email', receiver: 'shen@example.com', title: '证件到期', body: '请续期。' })
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'sent', provider: 'smtp', receiver: 's•••@example.com' })
  const [letter] = mail.letters
  expect(letter).toMatchObject({ to: '<shen@example.com>', user: 'robot', password: SECRET })
  expect(letter?.text).toContain(Buffer.from('请续期。').toString('base64').slice(0, 12))
})

test('an address that the mail server refuses for good is not tried again', async () => {
  await provide(smtp())
  const id = await write({ channel: 'email', receiver: 'nobody@example.com' })
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'failed', tries: 1 })
})

test('a mail server that is away is tried again', async () => {
  await provide({ ...smtp(), port: 1 })
  const id = await write({ channel: 'email', receiver: 'shen@example.com' })
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', tries: 1 })
})

test('a code is masked for all, read by nobody, not told by a title either, and forgotten once sent', async () => {
  const code = { type: 'password.code', isSecret: true, body: 'Your code is 482913.', vars: { code: '482913' } }
  const { db } = place.world.services
  await sql`update message_type set title = jsonb_set(title, '{zh}', '"{{code}}"')
    where code = 'password.code'`.execute(db)
  const id = await write({ ...code, userId: ourAdmin.id })
  await run()
  const listed = await ourAdmin.call(listPushMessages, { type: 'password.code' })
  expect(listed.text).not.toContain('482913')
  expect(listed.text).not.toContain('13812345678')
  await provide(aliyun())
  await admin.call(resendMessage, { id })
  await run()
  expect(await stateOf(id)).toMatchObject({ state: 'sent', isKept: false })
})

test('a code that was held is not sent by itself when a provider comes: it helps nobody any more', async () => {
  const code = await write({ type: 'password.code', isSecret: true, body: '1234' })
  const alarm = await write()
  await run()
  await provide(aliyun())
  await run()
  expect([(await stateOf(code)).state, (await stateOf(alarm)).state]).toEqual(['held', 'sent'])
})

test("a provider's key is kept sealed, never answered, and stays when the form leaves it out", async () => {
  await provide(aliyun())
  const kept = await sql<{ text: string }>`select row_to_json(p)::text as text from push_provider p`.execute(
    place.world.services.db,
  )
  expect(kept.rows[0]?.text).not.toContain(SECRET)
  const { signName: _, ...rest } = aliyun()
  const again = await admin.call(saveProvider, { config: { ...rest, signName: 'New' }, isOn: true, version: 1 })
  expect(dataOf(again)).toEqual({ channel: 'sms', version: 2 })
  const stale = await admin.call(saveProvider, { config: aliyun(), isOn: true, version: 1 })
  expect([stale.status, stale.body.code]).toEqual([409, 'edit.stale'])
  const other = await admin.call(saveProvider, { config: tencent(), isOn: true, version: 2 })
  expect(other.body.code).toBe('provider.secretMissing')
  const sent = dataOf<{ messageId: number }>(
    await admin.call(testProvider, { channel: 'sms', receiver: '13900000000' }),
  )
  await run()
  expect(await stateOf(sent.messageId)).toMatchObject({ state: 'sent' })
  expect((await admin.call(testProvider, { channel: 'email', receiver: 'a@b.cn' })).body.code).toBe('provider.missing')
})

test('a password told for one mail host is not sent to another', async () => {
  await provide(smtp())
  const moved = (more: object) => admin.call(saveProvider, { config: { ...smtp(), ...more }, isOn: true, version: 1 })
  for (const more of [{ host: 'mail.elsewhere.example' }, { port: 1 }, { user: 'other' }])
    expect((await moved(more)).body.code).toBe('provider.secretMissing')
  expect((await moved({ from: 'c@d.cn' })).body.code).toBe('H0000')
})

test('a provider is reached over TLS only, but on this machine', async () => {
  const answer = await provide({ ...aliyun(), endpoint: 'http://dysmsapi.aliyuncs.com/' })
  expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
})

test('what waits for a later hour goes with the sweep of that hour', async () => {
  await provide(aliyun())
  const id = await write({ notBefore: new Date(NOON.getTime() + 3600_000) })
  const sweep = jobs.find(({ name }) => name === 'notice.sweep')
  await sweep?.run(place.world.services, {})
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', tries: 0 })
  place.world.setNow(new Date(NOON.getTime() + 3600_000))
  await sweep?.run(place.world.services, {})
  expect(await stateOf(id)).toMatchObject({ state: 'sent' })
})

type Stand = { server: Server; url: string; heard: Record<string, string>[]; answer: unknown }

/** Both SMS clouds at one address: each checks its signature as its documentation says, from the raw request. */
async function standIn(): Promise<Stand> {
  const stand: Stand = { server: createServer(), url: '', heard: [], answer: null }
  stand.server.on('request', (request, response) => {
    void bodyOf(request).then((body) => {
      const isTencent = request.headers['x-tc-action'] === 'SendSms'
      const answer = stand.answer ?? (isTencent ? asTencent(stand, request, body) : asAliyun(stand, body))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((ready) => stand.server.listen(0, '127.0.0.1', ready))
  stand.url = `http://127.0.0.1:${(stand.server.address() as AddressInfo).port}/`
  return stand
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function asAliyun(stand: Stand, body: string): unknown {
  // From the raw text: what the client encoded stays as it was, only its order and the signature are undone.
  const pairs = body.split('&').filter((pair) => !pair.startsWith('Signature='))
  const text = `POST&%2F&${encodeURIComponent(pairs.sort().join('&'))}`
  const expected = createHmac('sha1', `${SECRET}&`).update(text).digest('base64')
  const query = Object.fromEntries(new URLSearchParams(body.replaceAll('+', '%2B')))
  if (query.Signature !== expected || query.AccessKeyId !== KEY_ID) {
    return { Code: 'SignatureDoesNotMatch', Message: 'Specified signature is not matched with our calculation.' }
  }
  stand.heard.push(query)
  return { Code: 'OK', Message: 'OK', BizId: '900619746936498440^0', RequestId: 'F655A8D5' }
}

function asTencent(stand: Stand, { headers }: IncomingMessage, body: string): unknown {
  if (headers.authorization !== expectedOf(headers, body)) {
    return { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'not matched' }, RequestId: '1' } }
  }
  stand.heard.push(JSON.parse(body) as Record<string, string>)
  return { Response: { SendStatusSet: [{ Code: 'Ok', Message: 'send success', SerialNo: '5000:1' }], RequestId: '1' } }
}

/** Step by step from the document of "Signature v3", and not by what it is to judge. */
function expectedOf(headers: IncomingMessage['headers'], body: string): string {
  const seconds = headers['x-tc-timestamp']
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const canonical = `POST
/

content-type:${headers['content-type']}
host:${headers.host}
x-tc-action:sendsms

content-type;host;x-tc-action
${hash(body)}`
  let key: Buffer | string = `TC3${SECRET}`
  for (const step of [date, 'sms', 'tc3_request']) key = createHmac('sha256', key).update(step).digest()
  const toSign = `TC3-HMAC-SHA256\n${String(seconds)}\n${date}/sms/tc3_request\n${hash(canonical)}`
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const credential = `Credential=${KEY_ID}/${date}/sms/tc3_request`
  return `TC3-HMAC-SHA256 ${credential}, SignedHeaders=content-type;host;x-tc-action, Signature=${signature}`
}

type Letter = { to: string; user: string; password: string; text: string }
type Mailbox = { server: SocketServer; port: number; letters: Letter[] }

/** Enough of SMTP (RFC 5321, AUTH PLAIN of RFC 4954) to take a letter. */
async function mailbox(): Promise<Mailbox> {
  const letters: Letter[] = []
  const server = createSocketServer((socket) => {
    let letter: Letter = { to: '', user: '', password: '', text: '' }
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 mail.test ESMTP')
    let rest = ''
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isData && line === '.') {
          isData = false
          letters.push(letter)
          say('250 queued as 42')
        } else if (isData) letter.text += `${line}\n`
        else if (line.startsWith('EHLO')) socket.write('250-mail.test\r\n250 AUTH PLAIN\r\n')
        else if (line.startsWith('AUTH PLAIN ')) {
          const [, user = '', password = ''] = Buffer.from(line.slice(11), 'base64').toString().split('\0')
          letter = { ...letter, user, password }
          say('235 accepted')
        } else if (line.startsWith('MAIL FROM:')) say('250 ok')
        else if (line.startsWith('RCPT TO:')) {
          letter.to = line.slice(8).split(' ')[0] ?? ''
          say(line.includes('nobody@') ? '550 no such mailbox' : '250 ok')
        } else if (line === 'DATA') {
          isData = true
          say('354 go on')
        } else if (line === 'QUIT') socket.end('221 bye\r\n')
        else say('502 not known')
      }
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return { server, port: (server.address() as AddressInfo).port, letters }
}
