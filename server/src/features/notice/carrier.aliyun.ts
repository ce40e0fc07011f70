import { createHmac, randomUUID } from 'node:crypto'
import type { ProviderConfig } from '@aisle/contract/notice/pushSetting'
import { type Carried, type Carry, paramsOf, type Parcel, post, textAt, notCarried } from './carrier'

type Config = Extract<ProviderConfig, { kind: 'aliyun' }>

/** SendSms of Alibaba Cloud (dysmsapi, version 2017-05-25), with its RPC signature: HMAC-SHA1 over the sorted query. */
export function aliyun(config: Config, secret: string): Carry {
  return async (parcel, now) => {
    const query = { ...common(config, now), ...message(config, parcel) }
    const body = canonical({ ...query, Signature: sign(query, secret) })
    try {
      const answer = await post(config.endpoint, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      return judged(answer)
    } catch (cause) {
      return notCarried(cause)
    }
  }
}

const common = ({ keyId }: Config, now: Date) => ({
  AccessKeyId: keyId,
  Action: 'SendSms',
  Format: 'JSON',
  RegionId: 'cn-hangzhou',
  SignatureMethod: 'HMAC-SHA1',
  SignatureNonce: randomUUID(),
  SignatureVersion: '1.0',
  Timestamp: `${now.toISOString().slice(0, 19)}Z`,
  Version: '2017-05-25',
})

const message = ({ signName, template }: Config, parcel: Parcel) => ({
  OutId: String(parcel.id),
  PhoneNumbers: parcel.receiver.replace(/^\+86/, ''),
  SignName: signName,
  TemplateCode: parcel.template ?? template,
  TemplateParam: JSON.stringify(Object.fromEntries(paramsOf(parcel))),
})

/** @param secret without the `&` that the rule appends to it */
export function sign(query: Readonly<Record<string, string>>, secret: string, method: 'GET' | 'POST' = 'POST'): string {
  const text = `${method}&${encode('/')}&${encode(canonical(query))}`
  return createHmac('sha1', `${secret}&`).update(text).digest('base64')
}

const canonical = (query: Readonly<Record<string, string>>): string =>
  Object.keys(query)
    .sort()
    .map((name) => `${encode(name)}=${encode(query[name] ?? '')}`)
    .join('&')

/** RFC 3986: also what `encodeURIComponent` leaves alone. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** Refusals that pass by themselves: the provider's own trouble, and too many in a short time. */
const passing = /^(isp\.|Throttling|ServiceUnavailable|InternalError|isv\.BUSINESS_LIMIT_CONTROL|SignatureNonceUsed)/

function judged(answer: unknown): Carried {
  const code = textAt(answer, 'Code')
  if (code === 'OK') return { isSent: true, reference: textAt(answer, 'BizId') }
  const reason = `${code || 'no code'}: ${textAt(answer, 'Message')}`.slice(0, 200)
  return { isSent: false, isFinal: code !== '' && !passing.test(code), reason }
}
