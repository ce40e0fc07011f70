import { z } from 'zod'
import type { Access, SendingAccount } from '../fleet/public'
import { answerOf, type Carried, type Carry, CARRY_TIMEOUT_MS, type Parcel, notCarried } from './carrier'
import { type CustomerFacts, fillTemplate } from './customer.rules'

const zReply = z.looseObject({
  errcode: z.number().default(0),
  errmsg: z.string().default(''),
  access_token: z.string().optional(),
  expires_in: z.number().positive().optional(),
  msgid: z.union([z.number(), z.string()]).optional(),
  template_list: z.array(z.object({ template_id: z.string(), content: z.string() })).optional(),
})
type Reply = z.output<typeof zReply>

/** Access is renewed a little before its end, so that no call begins with one that ends on the way. */
const EARLY_MS = 5 * 60_000
/** The access was ended before its time: by another renewal, or by a new secret. */
const endedCodes: ReadonlySet<number> = new Set([40001, 40014, 42001])
/** WeChat's own trouble, and too much in a short time. */
const passingCodes: ReadonlySet<number> = new Set([-1, 45009, 45011, 48008])

/**
 * Template messages of one WeChat official account. Access is asked for once and shared until it ends; each template
 * says itself which fields it has.
 * @param keep so that other processes need not ask for access again
 */
export function wechatAccount(account: SendingAccount, keep: (access: Access) => Promise<void>): Carry {
  const ask = askingWith(account, keep)
  let known: ReadonlyMap<string, string> | null = null
  const contents = async (now: Date): Promise<ReadonlyMap<string, string> | Reply> => {
    if (known) return known
    const listed = await ask(now, '/cgi-bin/template/get_all_private_template')
    if (listed.errcode !== 0) return listed
    known = new Map((listed.template_list ?? []).map(({ template_id: id, content }) => [id, content]))
    return known
  }
  return async (parcel, now) => {
    try {
      const templates = await contents(now)
      if ('errcode' in templates) return judged(templates)
      const message = messageOf(parcel, templates.get(parcel.template ?? ''))
      return 'isSent' in message ? message : judged(await ask(now, '/cgi-bin/message/template/send', message))
    } catch (cause) {
      return notCarried(cause)
    }
  }
}

type Ask = (now: Date, path: string, body?: unknown) => Promise<Reply>

/** A call that opens with the access there is and, where that was ended, once more with a new one. */
function askingWith(account: SendingAccount, keep: (access: Access) => Promise<void>): Ask {
  const { address, appId, secret } = account
  let { access } = account
  const open = async (now: Date, isForced: boolean): Promise<Access | Reply> => {
    if (access && !isForced && access.until.getTime() - EARLY_MS > now.getTime()) return access
    const asked = { grant_type: 'client_credential', appid: appId, secret, force_refresh: isForced }
    const given = await call(`${address}/cgi-bin/stable_token`, asked)
    if (given.errcode !== 0 || !given.access_token) return given
    access = { token: given.access_token, until: new Date(now.getTime() + (given.expires_in ?? 0) * 1000) }
    await keep(access)
    return access
  }
  const once = async (now: Date, isForced: boolean, path: string, body: unknown): Promise<Reply> => {
    const opened = await open(now, isForced)
    if ('errcode' in opened) return opened.errcode === 0 ? { ...opened, errcode: -1, errmsg: 'no access' } : opened
    return call(`${address}${path}?access_token=${encodeURIComponent(opened.token)}`, body)
  }
  return async (now, path, body) => {
    const first = await once(now, false, path, body)
    return endedCodes.has(first.errcode) ? once(now, true, path, body) : first
  }
}

async function call(url: string, body: unknown): Promise<Reply> {
  const sent =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(url, { ...sent, redirect: 'error', signal: AbortSignal.timeout(CARRY_TIMEOUT_MS) })
  return zReply.parse(await answerOf(answer))
}

const refused = (reason: string): Carried => ({ isSent: false, isFinal: true, reason })

/** The same message is sent once for some minutes, should its answer be lost: WeChat knows it by `client_msg_id`. */
function messageOf({ id, receiver, template, params }: Parcel, content: string | undefined) {
  if (!template) return refused('the account has no template for it')
  if (content === undefined) return refused(`the account has no template ${template}`)
  const filled = fillTemplate(content, Object.fromEntries(params ?? []) as CustomerFacts)
  if ('unknown' in filled) return refused(`nothing fits the field ${filled.unknown} of template ${template}`)
  return { touser: receiver, template_id: template, client_msg_id: `aisle-${id}`, data: filled.data }
}

function judged({ errcode, errmsg, msgid }: Reply): Carried {
  if (errcode === 0) return { isSent: true, reference: String(msgid ?? '') }
  return { isSent: false, isFinal: !passingCodes.has(errcode), reason: `${errcode}: ${errmsg}`.slice(0, 200) }
}
