import { constants, publicEncrypt } from 'node:crypto'
import { z } from 'zod'
import type {
  SplitAnswer,
  SplitReceiver,
  SplitReturnAnswer,
  SplitReturnAsk,
  Splits,
  SplitShare,
  SplitStepAnswer,
} from './channel.types'
import type { Answer, Speak, WechatParameters } from './wechat.channel'

/**
 * Profit sharing, version 3 (pay.weixin.qq.com, profitsharing): requests are taken and carried out later, and the same
 * number is the same request. Only merchants give anything back, persons never.
 */
export function wechatSplits(speak: Speak, parameters: WechatParameters): Splits {
  const { appId, subMchId } = parameters
  const sub: Record<string, string> = subMchId ? { sub_mchid: subMchId } : {}
  return {
    bind: async (receiver, isBound, reference) => {
      const path = `/v3/profitsharing/receivers/${isBound ? 'add' : 'delete'}`
      const body = { ...sub, appid: appId, ...named(receiver), ...(isBound ? relation(receiver, parameters) : {}) }
      return stepOf(await speak('split_receiver', reference, path, body))
    },
    split: async ({ splitNo, attempt, shares, reason }) => {
      const body = {
        ...sub,
        appid: appId,
        transaction_id: attempt.channelNo,
        out_order_no: splitNo,
        receivers: shares.map((share) => asked(share, reason)),
        unfreeze_unsplit: false,
      }
      return splitOf(await speak('split', splitNo, '/v3/profitsharing/orders', body))
    },
    querySplit: async ({ splitNo, attempt }) => {
      const query = new URLSearchParams({ ...sub, transaction_id: attempt.channelNo ?? '' })
      return splitOf(await speak('query_split', splitNo, `/v3/profitsharing/orders/${splitNo}?${query}`))
    },
    finishSplit: async ({ splitNo, attempt, reason }) => {
      const body = {
        ...sub,
        transaction_id: attempt.channelNo,
        out_order_no: splitNo,
        description: reason.slice(0, 80),
      }
      return stepOf(await speak('split', splitNo, '/v3/profitsharing/orders/unfreeze', body))
    },
    returnSplit: (ask) => giveBack(speak, sub, ask),
  }
}

const types = { merchant_no: 'MERCHANT_ID', openid: 'PERSONAL_OPENID' } as const
const named = ({ type, account }: SplitReceiver) => ({
  type: type === 'merchant_no' ? types.merchant_no : types.openid,
  account,
})

const asked = ({ receiver, amountFen }: SplitShare, reason: string) => ({
  ...named(receiver),
  amount: amountFen,
  description: reason.slice(0, 80),
})

/** A merchant's full name goes with it, sealed for WeChat alone; of persons none is asked. */
function relation(receiver: SplitReceiver, { platformKey: key }: WechatParameters) {
  if (receiver.type !== 'merchant_no') return { relation_type: 'PARTNER' }
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const name = publicEncrypt({ key, padding }, Buffer.from(receiver.name)).toString('base64')
  return { name, relation_type: 'PARTNER' }
}

const isOwnTrouble = (answer: Answer | null): boolean =>
  !answer?.isProven || answer.status >= 500 || answer.status === 429 || answer.code === 'FREQUENCY_LIMITED'

function stepOf(answer: Answer | null): SplitStepAnswer {
  const code = answer?.code ?? null
  if (isOwnTrouble(answer)) return { outcome: 'unknown', code }
  return { outcome: (answer?.status ?? 0) < 300 ? 'done' : 'refused', code }
}

const order = z.object({
  state: z.enum(['PROCESSING', 'FINISHED']),
  receivers: z
    .array(
      z.object({
        account: z.string(),
        amount: z.number().int(),
        result: z.enum(['PENDING', 'SUCCESS', 'CLOSED']),
        fail_reason: z.string().optional(),
      }),
    )
    .default([]),
})
const results = { PENDING: 'waiting', SUCCESS: 'done', CLOSED: 'failed' } as const

function splitOf(answer: Answer | null): SplitAnswer {
  const code = answer?.code ?? null
  if (isOwnTrouble(answer)) return { outcome: 'unknown', shares: [], code }
  if (answer?.status === 404) return { outcome: 'notFound', shares: [], code }
  // Nothing on the merchant's account at the moment: the same number may be tried again.
  if (code === 'NOT_ENOUGH') return { outcome: 'unknown', shares: [], code }
  if ((answer?.status ?? 0) >= 400) return { outcome: 'refused', shares: [], code }
  const read = order.safeParse(answer?.body)
  if (!read.success) return { outcome: 'unknown', shares: [], code }
  const shares = read.data.receivers.map(({ account, amount, result, fail_reason = null }) => ({
    account,
    amountFen: amount,
    outcome: results[result],
    code: fail_reason,
  }))
  return { outcome: 'taken', shares, code }
}

const returned = z.object({ result: z.enum(['PROCESSING', 'SUCCESS', 'FAILED']), fail_reason: z.string().optional() })

/** The same number again asks how it stands; PROCESSING must never be tried under another one. */
async function giveBack(speak: Speak, sub: object, ask: SplitReturnAsk): Promise<SplitReturnAnswer> {
  const { returnNo, splitNo, share, reason } = ask
  const answer = await speak('split_return', returnNo, '/v3/profitsharing/return-orders', {
    ...sub,
    out_order_no: splitNo,
    out_return_no: returnNo,
    return_mchid: share.receiver.account,
    amount: share.amountFen,
    description: reason.slice(0, 80),
  })
  const code = answer?.code ?? null
  if (isOwnTrouble(answer)) return { outcome: 'unknown', code }
  if ((answer?.status ?? 0) >= 400) return { outcome: 'refused', code }
  const read = returned.safeParse(answer?.body)
  if (!read.success) return { outcome: 'unknown', code }
  const { result, fail_reason: why = null } = read.data
  if (result === 'SUCCESS') return { outcome: 'done', code: null }
  if (result === 'PROCESSING') return { outcome: 'waiting', code: null }
  return { outcome: why === 'TIME_OUT_CLOSED' ? 'over' : 'refused', code: why }
}
