import { createHash, timingSafeEqual } from 'node:crypto'

/** What WeChat puts into the query of each of its calls. */
export type Signed = { signature: string; timestamp: string; nonce: string }

/** WeChat tries again within seconds; what is older is somebody else saying it again. */
const MOST_AGE_MS = 10 * 60_000

/** SHA-1 over token, time and nonce in the order of the alphabet (WeChat, "verify server address"). */
export const signatureOf = (token: string, { timestamp, nonce }: Omit<Signed, 'signature'>): string =>
  createHash('sha1').update([token, timestamp, nonce].sort().join('')).digest('hex')

export function isFromWechat(token: string, signed: Signed, now: Date): boolean {
  const expected = Buffer.from(signatureOf(token, signed))
  const given = Buffer.from(signed.signature.toLowerCase())
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  return Math.abs(now.getTime() - Number(signed.timestamp) * 1000) <= MOST_AGE_MS
}

export type FollowEvent = { openId: string; isFollowing: boolean; machineCode: string | null; at: Date }

/**
 * Somebody begins or ends to follow, or scans the code again who follows already. Anything else that is told, such as
 * a message typed by a customer, is null.
 * @param body XML in plain mode; sealed bodies name no sender
 */
export function followEventIn(body: string): FollowEvent | null {
  const said = new Map(
    [...body.matchAll(/<(\w+)>(?:<!\[CDATA\[([^\]]*)\]\]>|([^<]*))<\/\1>/g)].map(([, name, quoted, plain]) => [
      name,
      (quoted ?? plain ?? '').trim(),
    ]),
  )
  const openId = said.get('FromUserName') ?? ''
  const event = said.get('Event') ?? ''
  const seconds = Number(said.get('CreateTime'))
  const isFollowing = event === 'subscribe' || event === 'SCAN'
  const isTold = said.get('MsgType') === 'event' && (isFollowing || event === 'unsubscribe')
  if (!isTold || !/^[\w-]{1,128}$/.test(openId) || !Number.isSafeInteger(seconds) || seconds <= 0) return null
  const scene = (said.get('EventKey') ?? '').replace(/^qrscene_/, '')
  return { openId, isFollowing, machineCode: isFollowing && scene ? scene : null, at: new Date(seconds * 1000) }
}
