import { createHash, createHmac } from 'node:crypto'
import type { ProviderConfig } from '@aisle/contract/notice/pushSetting'
import { type Carried, type Carry, paramsOf, type Parcel, post, textAt, notCarried } from './carrier'

type Config = Extract<ProviderConfig, { kind: 'tencent' }>

const SERVICE = 'sms'
const ACTION = 'SendSms'
const VERSION = '2021-01-11'

/** SendSms of Tencent Cloud (version 2021-01-11) with its signature TC3-HMAC-SHA256. */
export function tencent(config: Config, secret: string): Carry {
  return async (parcel, now) => {
    const body = JSON.stringify(message(config, parcel))
    const timestamp = Math.floor(now.getTime() / 1000)
    const signed = { 'content-type': 'application/json; charset=utf-8', 'x-tc-action': ACTION }
    const { host } = new URL(config.endpoint)
    const facts = { keyId: config.keyId, secret, service: SERVICE, body, timestamp }
    const headers = {
      ...signed,
      'x-tc-version': VERSION,
      'x-tc-region': config.region,
      'x-tc-timestamp': String(timestamp),
      authorization: authorization({ ...facts, headers: { ...signed, host } }),
    }
    try {
      return judged(await post(config.endpoint, { headers, body }))
    } catch (cause) {
      return notCarried(cause)
    }
  }
}

const message = ({ appId, signName, template }: Config, parcel: Parcel) => ({
  PhoneNumberSet: [parcel.receiver.startsWith('+') ? parcel.receiver : `+86${parcel.receiver}`],
  SmsSdkAppId: appId,
  SignName: signName,
  TemplateId: parcel.template ?? template,
  TemplateParamSet: paramsOf(parcel).map(([, value]) => value),
  SessionContext: String(parcel.id),
})

type Signed = {
  keyId: string
  secret: string
  service: string
  /** Those that are signed, host and content type among them, by their names in lower case. */
  headers: Readonly<Record<string, string>>
  body: string
  /** Seconds. */
  timestamp: number
}

/** Of a POST without a query. */
export function authorization({ keyId, secret, service, headers, body, timestamp }: Signed): string {
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = sorted.map(([name]) => name).join(';')
  const lines = sorted.map(([name, value]) => `${name}:${value.toLowerCase()}\n`).join('')
  const request = ['POST', '/', '', lines, names, sha256(body)].join('\n')
  const text = ['TC3-HMAC-SHA256', timestamp, scope, sha256(request)].join('\n')
  const key = hmac(hmac(hmac(Buffer.from(`TC3${secret}`), day), service), 'tc3_request')
  const signature = hmac(key, text).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Refusals that pass by themselves. */
const passing = /^(InternalError|RequestLimitExceeded|LimitExceeded|ResourceUnavailable|FailedOperation\.Unavailable)/

function judged(answer: unknown): Carried {
  const code = textAt(answer, 'Response', 'SendStatusSet', 0, 'Code')
  if (code === 'Ok') return { isSent: true, reference: textAt(answer, 'Response', 'SendStatusSet', 0, 'SerialNo') }
  const refused = code || textAt(answer, 'Response', 'Error', 'Code')
  const words =
    textAt(answer, 'Response', 'SendStatusSet', 0, 'Message') || textAt(answer, 'Response', 'Error', 'Message')
  const reason = `${refused || 'no code'}: ${words}`.slice(0, 200)
  return { isSent: false, isFinal: refused !== '' && !passing.test(refused), reason }
}
